// Streams of queries for absent keys, and the keys they are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace telescope::contest {

// A bijection of 64-bit words (the finaliser of SplitMix64).
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Key i differs from key j for every i != j: members are the first ones, negatives come behind them, and no table is
// needed to tell them apart.
class Keys {
 public:
  constexpr explicit Keys(std::uint64_t seed) noexcept : seed_(mix64(seed + 1)) {}
  constexpr std::uint64_t operator[](std::uint64_t i) const noexcept { return mix64(seed_ + i * 0x9e3779b97f4a7c15u); }

 private:
  std::uint64_t seed_;
};

// Negatives, without end. A stream may listen to what its queries cost.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void next(std::span<std::uint64_t> keys) = 0;
  // Which of the keys made the store be read. Whoever asks can tell: it takes longer.
  virtual void told(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> read);
};

// Zipf's law with exponent 1 over `unique` negatives: the k-th is asked for in proportion to 1/k.
class SkewedStream final : public Stream {
 public:
  SkewedStream(Keys keys, std::uint64_t members, std::uint64_t unique, std::uint64_t seed) noexcept;
  void next(std::span<std::uint64_t> keys) override;

 private:
  std::uint64_t rank() noexcept;
  double uniform() noexcept;

  Keys keys_;
  std::uint64_t members_, state_;
  double log_unique_;  // ln(unique + 1)
};

// Asks for `fresh` different negatives, takes note of those that made the store be read, then asks for these, again and
// again.
class AdversarialStream final : public Stream {
 public:
  AdversarialStream(Keys keys, std::uint64_t members, std::uint64_t fresh) noexcept;
  void next(std::span<std::uint64_t> keys) override;
  void told(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> read) override;

 private:
  Keys keys_;
  std::uint64_t at_, end_;  // of the fresh ones
  std::vector<std::uint64_t> seen_;
  std::size_t replayed_ = 0;
};

}  // namespace telescope::contest
