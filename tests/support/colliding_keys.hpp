// Keys at a position of one's choice, as an attacker makes them who knows the secret of an XXH3 set.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <telescope/hash.hpp>

namespace telescope::testing {

// XXH3 multiplies the words of a key of 32 bytes in pairs, after it has mixed the secret in. Where the first word of a
// pair is chosen such that this makes it zero, the second one does not matter for the product. What is left is linear,
// and can be solved for the position. The fingerprints are as good as random.
class CollidingKeys {
 public:
  explicit CollidingKeys(const Secret& secret) noexcept : seed_(secret.words[0]) {}

  // Returns the i-th key at this position. Keys of different numbers are different.
  std::string operator()(std::uint64_t position, std::uint64_t i) const {
    constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87, kPrime2 = 0xc2b2ae3d27d4eb4f, kPrime4 = 0x85ebca77c2b2ae63;
    constexpr std::uint64_t kSize = 32;
    const std::uint64_t first = 0xbe4ba423396cfeb8 + seed_;  // words 0 and 2 of XXH3's default secret
    const std::uint64_t second = 0xdb979083e96dd4de + seed_;
    const std::uint64_t low = (kSize * kPrime1) ^ (second + i);
    const std::uint64_t high =
        (before_avalanche(0 - position) - (kSize - seed_) * kPrime2 - low * kPrime1) * inverse(kPrime4);
    std::string key;
    for (std::uint64_t word : {first, high - first, second, i}) {
      for (int byte = 0; byte < 8; ++byte, word >>= 8) key += static_cast<char>(word & 0xff);
    }
    return key;
  }

 private:
  // Newton's method: each step doubles the number of right bits, of which there are three at first.
  static constexpr std::uint64_t inverse(std::uint64_t odd) noexcept {
    std::uint64_t x = odd;
    for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
    return x;
  }
  // The inverse of XXH3's last step: h ^= h >> 37, h *= prime, h ^= h >> 32.
  static constexpr std::uint64_t before_avalanche(std::uint64_t h) noexcept {
    h ^= h >> 32;
    h *= inverse(0x165667919e3779f9);
    return h ^ h >> 37;
  }

  std::uint64_t seed_;
};

}  // namespace telescope::testing
