// The paper's two-parameter arithmetic code for any eps (section "Arithmetic Coding", "General Arithmetic Coding").
#pragma once

#include <cstdint>
#include <optional>

#include "paper/walked_code.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail {

// Letter 0 has probability 1 - 2^-X; letter i > 0 has 2^-X (1 - 2^-Y) 2^-Y(i-1). Integers only.
//
//   low                                                        low + range
//    |------------ letter 0 ------------|---- 1 ----|-- 2 --|-3-|...|
//                  range (1 - 2^-X)     `-- what is left, cut at 1 - 2^-Y again and again
//
// A code is the low end of the interval of the letters up to the last one that is not zero, so code == low says that
// only zeros follow. Letters have no bound but the width of what is left: the last piece of width 1 goes to one letter,
// and the letters above it do not fit.
template <unsigned X, unsigned Y>
struct GeneralCode : WalkedCode<GeneralCode<X, Y>> {
  static_assert(X >= 1 && X < kCodeBits && Y >= 1 && Y < kCodeBits);

  static constexpr Letter candidates() noexcept { return 7; }

  // Wide ranges shrink slowly when X is large; a home region is never this long, and decoding must be bounded.
  static constexpr std::uint32_t kSlots = 1024;

  static std::optional<std::uint64_t> encode(const Letters& letters) noexcept {
    std::uint64_t low = 0;
    std::uint64_t range = kWhole;
    std::uint32_t slot = 0;
    for (const PlacedLetter& p : letters.placed()) {
      if (p.index >= kSlots) return std::nullopt;
      for (; slot < p.index; ++slot) range = most(range, X);
      const std::uint64_t zero = most(range, X);
      if (zero == 0) return std::nullopt;  // the letter would not move low
      low += zero;
      std::uint64_t left = range - zero;
      range = first(left);
      for (Letter l = 1; l < p.letter; ++l) {
        low += range;
        left -= range;
        if (left == 0) return std::nullopt;
        range = first(left);
      }
      ++slot;
    }
    return low;
  }

  // The code does not say which letters it holds, so any but the zero code may hold a tall one.
  static std::uint64_t exceeds_candidates(std::uint64_t code) noexcept { return (code & (kWhole - 1)) != 0; }

 private:
  friend WalkedCode<GeneralCode>;
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << kCodeBits;

  // floor(m (2^n - 1) / 2^n), that is m - ceil(m / 2^n), without leaving 64 bits.
  static constexpr std::uint64_t most(std::uint64_t m, unsigned n) noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << n) - 1;
    return m - (m >> n) - ((m & mask) != 0 ? 1 : 0);
  }

  // What the next letter takes of the letters that are left.
  static constexpr std::uint64_t first(std::uint64_t left) noexcept { return left == 1 ? 1 : most(left, Y); }

  static_assert(most(kWhole, X) + (kWhole >> X) == kWhole);
  static_assert(most(2, X) == 1 && most(1, X) == 0);  // a range of 2 or more has room for a zero letter

  template <class Visit>
  static void walk(std::uint64_t code, Visit visit) noexcept {
    std::uint64_t rest = code & (kWhole - 1);  // code - low, always below range
    std::uint64_t range = kWhole;
    for (std::uint32_t slot = 0; rest != 0 && slot < kSlots; ++slot) {
      const std::uint64_t zero = most(range, X);
      if (rest < zero) {
        range = zero;
        continue;
      }
      rest -= zero;
      std::uint64_t left = range - zero;
      Letter letter = 1;
      for (range = first(left); rest >= range; range = first(left)) {
        rest -= range;
        left -= range;
        ++letter;
      }
      if (!visit(slot, letter)) return;
    }
  }
};

static_assert(Codec<GeneralCode<3, 4>>);

}  // namespace telescope::inline v1::detail
