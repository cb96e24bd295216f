// The paper's arithmetic code for the extensions of exAF (section "Arithmetic Coding", "Arithmetic Code for exAF").
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail {

// The letter 2^length + value - 1 is the extension of `length` bits that read `value`; letter 0 is the empty one.
//
//   low                                                           low + range
//    |------------- empty -------------|---- length 1 ----|- 2 -|3|..|
//                                      |  "0"   |   "1"   |
//
// The empty extension takes 1/2 + 1/4 + 1/8 + 1/32 of the range; length l takes 2^-l of what is left, cut evenly among
// its 2^l values. A code is the low end of the interval of the extensions up to the last one that is not empty, so
// code == low says that only empty ones follow.
struct ExtensionCode {
  static std::optional<std::uint64_t> encode(const Letters& letters) noexcept {
    std::uint64_t low = 0;
    std::uint64_t range = kWhole;
    std::uint32_t slot = 0;
    for (const PlacedLetter& p : letters.placed()) {
      for (; slot < p.index; ++slot) {
        range = empty(range);
        if (range == 0) return std::nullopt;
      }
      const unsigned length = static_cast<unsigned>(std::bit_width(p.letter + std::uint64_t{1})) - 1;
      const std::uint64_t value = p.letter + std::uint64_t{1} - (std::uint64_t{1} << length);
      const std::uint64_t left = range - empty(range);
      const std::uint64_t piece = 2 * length < kCodeBits ? left >> (2 * length) : 0;
      if (piece == 0) return std::nullopt;
      low += empty(range) + before(left, length) + piece * value;
      range = piece;
      ++slot;
    }
    return low;
  }

  static Letters decode(std::uint64_t code) noexcept {
    Letters letters;
    walk(code, [&](std::uint32_t slot, Letter letter) { return letters.push(slot, letter); });
    return letters;
  }

  static Letter letter_at(std::uint64_t code, std::uint32_t index) noexcept {
    Letter found = 0;
    walk(code, [&](std::uint32_t slot, Letter letter) {
      if (slot == index) found = letter;
      return slot < index;
    });
    return found;
  }

  // An extension adds to the remainder in the slot and never replaces it, so a probe that compares remainders misses
  // no member, however long the extensions.
  static std::uint64_t exceeds_candidates(std::uint64_t) noexcept { return 0; }

 private:
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << kCodeBits;

  static constexpr std::uint64_t empty(std::uint64_t range) noexcept {
    return (range >> 1) + (range >> 2) + (range >> 3) + (range >> 5);
  }

  // Where the extensions of `length` >= 1 begin in what the empty one leaves: left (1/2 + 1/4 + ... 2^-(length-1)).
  static constexpr std::uint64_t before(std::uint64_t left, unsigned length) noexcept {
    return left - (left >> (length - 1));
  }

  // Calls visit(slot, letter) for each letter that is not zero, in order, until it answers false.
  // Rounding leaves slivers that belong to no extension; no encoder ends in one, and a decoder stops there.
  template <class Visit>
  static void walk(std::uint64_t code, Visit visit) noexcept {
    std::uint64_t rest = code & (kWhole - 1);  // code - low, always below range
    std::uint64_t range = kWhole;
    for (std::uint32_t slot = 0; rest != 0; ++slot) {
      const std::uint64_t zero = empty(range);
      if (rest < zero) {
        range = zero;
        continue;
      }
      rest -= zero;
      const std::uint64_t left = range - zero;
      unsigned length = 1;
      while (rest >= before(left, length + 1)) ++length;  // ends: before(left, 57) == left > rest
      const std::uint64_t piece = 2 * length < kCodeBits ? left >> (2 * length) : 0;
      if (piece == 0) return;
      rest -= before(left, length);
      const std::uint64_t value = rest / piece;
      if (value >> length != 0) return;
      if (!visit(slot, static_cast<Letter>((std::uint64_t{1} << length) + value - 1))) return;
      rest -= value * piece;
      range = piece;
    }
  }
};

static_assert(Codec<ExtensionCode>);

}  // namespace telescope::inline v1::detail
