// Keys that somebody makes who knows the secret: XXH3 gives them all the same position, and each another fingerprint.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <telescope/hash.hpp>

namespace telescope::testing {

// For keys of 32 bytes XXH3 multiplies the first word of each half with the second. If the first is zero under the
// seed, the second changes nothing but a sum, and what one half adds the other can take away.
inline std::string key_at_one_position(std::uint64_t i, const Secret& secret) {
  constexpr std::uint64_t kSecret0 = 0xbe4ba423396cfeb8, kSecret16 = 0xdb979083e96dd4de;  // of XXH3
  constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87, kPrime4 = 0x85ebca77c2b2ae63;
  std::uint64_t inverse = kPrime4;  // modulo 2^64
  for (int digits = 3; digits < 64; digits *= 2) inverse *= 2 - kPrime4 * inverse;
  const std::uint64_t low = i * 0x9e3779b97f4a7c15;
  const std::uint64_t high = (0 - low * kPrime1) * inverse;
  const std::uint64_t first = kSecret0 + secret.words[0], third = kSecret16 + secret.words[0];
  const std::array<std::uint64_t, 4> words = {first, high - first, third, (low ^ 32 * kPrime1) - third};
  std::string key(32, '\0');
  std::memcpy(key.data(), words.data(), 32);  // little-endian
  return key;
}

}  // namespace telescope::testing
