// XXH3-128 of exactly eight bytes, inline: it sits in the hottest loop, where a call costs as much as the hash.
// This is the "4 to 8 bytes" case of xxHash 0.8 with the default secret; hash_test compares it with the library.
#pragma once

#include <cstdint>

namespace telescope::inline v1::detail {

struct Words {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// What is XORed onto the input. Only the seed decides it, so a policy computes it once.
constexpr std::uint64_t xxh3_word_flip(std::uint64_t seed) noexcept {
  constexpr std::uint64_t kSecret16 = 0xdb979083e96dd4deULL;  // bytes 16..23 and 24..31 of the default secret,
  constexpr std::uint64_t kSecret24 = 0x1f67b3b7a4a44072ULL;  // read as little-endian
  const auto low = static_cast<std::uint32_t>(seed);
  const std::uint32_t swapped = low << 24 | (low & 0xff00U) << 8 | (low >> 8 & 0xff00U) | low >> 24;
  return (kSecret16 ^ kSecret24) + (seed ^ std::uint64_t{swapped} << 32);
}

inline constexpr std::uint64_t kXxh3WordMultiplier = 0x9e3779b185ebca87ULL + (8U << 2);  // prime 1 + 4 x length
inline constexpr std::uint64_t kXxh3WordLow = 0x9fb21c651e98df25ULL;
inline constexpr std::uint64_t kXxh3WordHigh = 0x165667919e3779f9ULL;

constexpr Words xxh3_word(std::uint64_t key, std::uint64_t flip) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(key ^ flip) * kXxh3WordMultiplier;
  auto low = static_cast<std::uint64_t>(product);
  auto high = static_cast<std::uint64_t>(product >> 64);
  high += low << 1;
  low ^= high >> 3;

  low ^= low >> 35;
  low *= kXxh3WordLow;
  low ^= low >> 28;

  high ^= high >> 37;
  high *= kXxh3WordHigh;
  high ^= high >> 32;
  return {.low = low, .high = high};
}

}  // namespace telescope::inline v1::detail
