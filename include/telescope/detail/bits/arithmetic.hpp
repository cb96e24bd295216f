// Products of 128 bits, and a mix.
#pragma once

#include <cstdint>

#include "telescope/detail/bits/compiler.hpp"

namespace telescope::inline v1::detail::bits {

__extension__ using Uint128 = unsigned __int128;

// Returns the high half of the product: the multiply-shift reduction of a 64-bit word to [0, n).
TELESCOPE_ALWAYS_INLINE std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>(static_cast<Uint128>(a) * b >> 64);
}

struct Product {
  std::uint64_t high, low;
};
TELESCOPE_ALWAYS_INLINE Product multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

// Returns a strong mix of one word (the finaliser of SplitMix64): a bijection, so different words stay different.
constexpr std::uint64_t mix(std::uint64_t w) noexcept {
  w = (w ^ w >> 30) * 0xbf58476d1ce4e5b9;
  w = (w ^ w >> 27) * 0x94d049bb133111eb;
  return w ^ w >> 31;
}

}  // namespace telescope::inline v1::detail::bits
