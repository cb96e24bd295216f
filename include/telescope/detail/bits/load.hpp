// Loads and stores of words: little-endian on every machine, aligned or not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "telescope/detail/bits/compiler.hpp"

namespace telescope::inline v1::detail::bits {

constexpr std::uint64_t byteswap(std::uint64_t w) noexcept {
  std::uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i, w >>= 8) swapped = swapped << 8 | (w & 0xff);
  return swapped;
}

TELESCOPE_ALWAYS_INLINE std::uint64_t load64(const std::byte* p) noexcept {
  std::uint64_t w;
  std::memcpy(&w, p, sizeof w);
  if constexpr (std::endian::native == std::endian::big) w = byteswap(w);
  return w;
}
TELESCOPE_ALWAYS_INLINE std::uint64_t load16(const std::byte* p) noexcept {
  std::uint16_t w;
  std::memcpy(&w, p, sizeof w);
  if constexpr (std::endian::native == std::endian::big) return byteswap(w) >> 48;
  return w;
}
TELESCOPE_ALWAYS_INLINE void store64(std::byte* p, std::uint64_t w) noexcept {
  if constexpr (std::endian::native == std::endian::big) w = byteswap(w);
  std::memcpy(p, &w, sizeof w);
}

}  // namespace telescope::inline v1::detail::bits
