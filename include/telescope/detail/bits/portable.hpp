// Rank, select and their like on a word, in portable code. Portable has the primitives that every set of them has; the
// others (x86_64.hpp) give the same results.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "telescope/detail/bits/load.hpp"

namespace telescope::inline v1::detail::bits {

// Returns bits [0, n), n <= 64.
constexpr std::uint64_t ones(unsigned n) noexcept { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }
// Returns bits [from, to), from <= to <= 64.
constexpr std::uint64_t ones(unsigned from, unsigned to) noexcept { return ones(to) & ~ones(from); }

// kSelectInByte[k * 256 + byte]: index of the k-th set bit of the byte, 0 where there is none.
inline constexpr auto kSelectInByte = [] {
  std::array<std::uint8_t, 8 * 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned k = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (byte >> i & 1) table[k++ * 256 + byte] = static_cast<std::uint8_t>(i);
    }
  }
  return table;
}();

// The stretch of a word that ends with its k-th set bit and starts behind the set bit below that, or at bit 0.
struct RunSpan {
  std::uint64_t first;  // 64 or less; a word, as it makes part of an address
  std::uint64_t ones;  // as many as it has bits; 63 or 64, the top one among them, if there is no k-th bit below bit 63
};

struct Portable {
  // Returns the lowest n bits of w, n < 64; only the lowest byte of n counts. For any n it is defined, and some bits of
  // w.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t low_bits(std::uint64_t w, std::uint64_t n) noexcept {
    return w & ((std::uint64_t{1} << (n & 63)) - 1);
  }
  // Shift by n modulo 64.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_left(std::uint64_t w, unsigned n) noexcept {
    return w << (n & 63);
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_right(std::uint64_t w, unsigned n) noexcept {
    return w >> (n & 63);
  }
  template <unsigned kFactor>
  static TELESCOPE_ALWAYS_INLINE std::uint64_t times(std::uint64_t w) noexcept {
    return w * kFactor;
  }

  static TELESCOPE_ALWAYS_INLINE unsigned popcount(std::uint64_t w) noexcept {
    return static_cast<unsigned>(std::popcount(w));
  }
  // Returns the index of the lowest set bit, or 64.
  static TELESCOPE_ALWAYS_INLINE unsigned countr_zero(std::uint64_t w) noexcept {
    return static_cast<unsigned>(std::countr_zero(w));
  }
  // Where it matters, this and the next compile to no branch.
  static TELESCOPE_ALWAYS_INLINE int max(int a, int b) noexcept { return a < b ? b : a; }
  template <unsigned kBit>
  static TELESCOPE_ALWAYS_INLINE const std::byte* if_bit(unsigned n, const std::byte* yes,
                                                         const std::byte* no) noexcept {
    return (n >> kBit & 1) != 0 ? yes : no;
  }
  // Returns sum, plus bit n of w, n < 64.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t add_bit(std::uint64_t sum, std::uint64_t w, unsigned n) noexcept {
    return sum + (w >> n & 1);
  }
  // Returns the k-th set bit of w (k from 0, modulo 64) alone, or 0 if w has fewer.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    k &= 63;
    constexpr std::uint64_t kEach = 0x0101010101010101;
    std::uint64_t sums = w - (w >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * kEach;  // byte i: set bits in bytes 0 .. i
    const std::uint64_t reached = ((sums | kEach << 7) - kEach * (k + 1)) & kEach << 7;
    if (reached == 0) return 0;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(reached)) & 56;
    const unsigned before = static_cast<unsigned>((sums << 8) >> shift & 0xff);
    return std::uint64_t{1} << (shift + kSelectInByte[(k - before) * 256 + (w >> shift & 0xff)]);
  }
  static TELESCOPE_ALWAYS_INLINE RunSpan run_span(std::uint64_t w, unsigned k) noexcept {
    const std::uint64_t end = select_bit(w << 1, k);
    if (end == 0) return {.first = 64, .ones = ~std::uint64_t{0}};
    const unsigned first = static_cast<unsigned>(std::bit_width((w << 1 | 1) & (end - 1))) - 1;
    return {.first = first, .ones = (end >> first) - 1};
  }
};

}  // namespace telescope::inline v1::detail::bits
