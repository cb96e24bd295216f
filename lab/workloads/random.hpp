// Random numbers for experiments: small, fast, the same everywhere for the same seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace telescope::lab {

__extension__ using Uint128 = unsigned __int128;

// The finaliser of SplitMix64: a bijection of 64-bit words.
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// SplitMix64.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) noexcept : state_(mix64(seed ^ 0x5851f42d4c957f2du)) {}

  constexpr std::uint64_t next() noexcept { return mix64(state_ += kStep); }

  // Uniform below `bound`, up to a bias of bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    return static_cast<std::uint64_t>((static_cast<Uint128>(next()) * bound) >> 64);
  }

  constexpr double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Knuth's product method: for small means.
  unsigned poisson(double mean) noexcept {
    const double limit = std::exp(-mean);
    unsigned count = 0;
    for (double product = uniform(); product > limit; product *= uniform()) ++count;
    return count;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

// The keys of one experiment. Key i differs from key j for every i != j, so disjoint ranges of i are disjoint sets:
// members and negatives need no table to be told apart.
class Keys {
 public:
  constexpr explicit Keys(std::uint64_t seed) noexcept : seed_(mix64(seed + 1)) {}
  constexpr std::uint64_t operator[](std::uint64_t i) const noexcept { return mix64(seed_ + i * 0x9e3779b97f4a7c15u); }

  std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count) const {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (*this)[first + i];
    return keys;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace telescope::lab
