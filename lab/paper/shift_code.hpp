// The paper's shift-only arithmetic code for eps = 1/256
// (section "Arithmetic Coding", "Optimized Arithmetic Encoding for TAF").
#pragma once

#include <cstdint>
#include <optional>

#include "paper/walked_code.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail {

// A code is the low end of the interval that the letters cut out of [0, 2^56), slot by slot:
//
//   low                                                                  low + range
//    |---------- letter 0 ----------|------ 1 ------|-- 2 --|- 3 -|4|5|---- 6 ----|
//
// Widths are sums of shifts of `range`. Letter 6 takes what is left; above it nothing fits.
// Letters behind the last one that is not zero cost nothing: they leave `low` where it is, so a decoder that has come
// to code == low knows that only zeros follow. A letter that is not zero always moves `low`, since range >= 2.
struct ShiftCode : WalkedCode<ShiftCode> {
  static constexpr Letter candidates() noexcept { return 7; }

  static std::optional<std::uint64_t> encode(const Letters& letters) noexcept {
    std::uint64_t low = 0;
    std::uint64_t range = kWhole;
    std::uint32_t slot = 0;
    for (const PlacedLetter& p : letters.placed()) {
      for (; slot < p.index; ++slot) {
        range = width(range, 0);
        if (range < kLeast) return std::nullopt;
      }
      if (p.letter > kLast) return std::nullopt;
      narrow(low, range, p.letter);
      if (range < kLeast) return std::nullopt;
      ++slot;
    }
    return low;
  }

  static std::uint64_t exceeds_candidates(std::uint64_t) noexcept { return 0; }  // no letter is ever above 6

 private:
  friend WalkedCode<ShiftCode>;
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << kCodeBits;
  static constexpr std::uint64_t kLeast = 2;
  static constexpr Letter kLast = 6;

  // The paper's probabilities of the letters below kLast.
  static constexpr std::uint64_t width(std::uint64_t range, Letter letter) noexcept {
    switch (letter) {
      case 0: return (range >> 1) + (range >> 2) + (range >> 5);
      case 1: return (range >> 3) + (range >> 4) + (range >> 7) + (range >> 9);
      case 2: return (range >> 6) + (range >> 8);
      case 3: return (range >> 10) + (range >> 11);
      case 4: return (range >> 14) + (range >> 16);
      default: return (range >> 19) + (range >> 20) + (range >> 23);
    }
  }

  static void narrow(std::uint64_t& low, std::uint64_t& range, Letter letter) noexcept {
    std::uint64_t skipped = 0;
    for (Letter l = 0; l < letter; ++l) skipped += width(range, l);
    low += skipped;
    range = letter < kLast ? width(range, letter) : range - skipped;
  }

  template <class Visit>
  static void walk(std::uint64_t code, Visit visit) noexcept {
    std::uint64_t rest = code & (kWhole - 1);  // code - low, always below range
    std::uint64_t range = kWhole;
    for (std::uint32_t slot = 0; rest != 0; ++slot) {
      const std::uint64_t zero = width(range, 0);
      if (rest < zero) {
        range = zero;
        continue;
      }
      Letter letter = 0;
      std::uint64_t piece = zero;
      std::uint64_t left = range;
      do {
        rest -= piece;
        left -= piece;
        ++letter;
        piece = letter < kLast ? width(range, letter) : left;
      } while (rest >= piece);
      range = piece;
      if (!visit(slot, letter)) return;
    }
  }
};

static_assert(Codec<ShiftCode>);

}  // namespace telescope::inline v1::detail
