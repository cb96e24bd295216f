// Opens and closes a gap: the only code that moves slots. Remainders, raw letters and runends move together; offsets of
// the blocks whose region start moved are updated here too. Codes are home-indexed and are not touched.
#pragma once

#include "telescope/detail/query/runs.hpp"

namespace telescope::inline v1::detail {

template <class B>
struct Gap {
  static constexpr bool kRaw = B::Layout::kRaw;
  using LetterLane = typename B::LetterLane;

  // Moves slots [at, empty) up by one; slot `at` is then free for the caller to fill, its runend bit clear. `home` is
  // the block of the quotient that gains a member.
  static void open(B& blocks, std::uint64_t home, std::uint64_t at, std::uint64_t empty) noexcept {
    std::uint64_t b = empty / 64;
    for (; b > at / 64; --b) {
      open_in(blocks, b, 0, b == empty / 64 ? static_cast<unsigned>(empty % 64) : 63);
      copy_slot(blocks, 64 * b - 1, 64 * b);
      raise_offset(blocks, b);
    }
    open_in(blocks, b, static_cast<unsigned>(at % 64), b == empty / 64 ? static_cast<unsigned>(empty % 64) : 63);
    for (; b > home; --b) raise_offset(blocks, b);
  }

  // Makes the free slot `at` the last of the quotient's run, or all of it.
  static TELESCOPE_ALWAYS_INLINE void take(B& blocks, std::uint64_t quotient, std::uint64_t at,
                                           std::uint64_t remainder) noexcept {
    const bool had_run =
        take_in<bits::Portable>(blocks, blocks.at_unwrapped(quotient / 64), static_cast<unsigned>(quotient % 64),
                                blocks.at(at / 64), static_cast<unsigned>(at % 64), remainder);
    if (TELESCOPE_UNLIKELY(at % 64 == 0) && had_run) {
      blocks.set_runend(at - 1, false);
      blocks.set_runend(at, true);
    }
  }
  // The same for slot `at` of the block at p and quotient j of the block at `home`; they may be one. Returns whether
  // the quotient had a run: it ended in the slot before, and if that is in another block, its runend is left there.
  template <class Isa>
  static TELESCOPE_ALWAYS_INLINE bool take_in(const B& blocks, std::byte* home, unsigned j, std::byte* p, unsigned at,
                                              std::uint64_t remainder) noexcept {
    using L = typename B::Layout;
    const std::uint64_t occupieds = bits::load64(home + L::kOccupieds);
    const std::uint64_t had_run = Isa::shift_right(occupieds, j) & 1;
    bits::store64(home + L::kOccupieds, occupieds | Isa::shift_left(1, j));
    // A runend in the slot before carries into this one; else it is set here.
    bits::store64(p + L::kRunends, bits::load64(p + L::kRunends) + (Isa::shift_left(1, at) >> had_run));
    blocks.remainder_lane().set_masked(p + L::kRemainders, at, remainder);
    if constexpr (kRaw) LetterLane().set(p + blocks.layout().letters(), at, 0);
    return had_run != 0;
  }

  // Removes slot `at`: slots (at, last] move down by one, and slot `last` is empty and zero. `home` is the block of the
  // quotient that loses a member.
  static void close(B& blocks, std::uint64_t home, std::uint64_t at, std::uint64_t last) noexcept {
    lower_offsets(blocks, home, last / 64);
    for (std::uint64_t b = at / 64;; ++b) {
      const unsigned low = b == at / 64 ? static_cast<unsigned>(at % 64) : 0;
      const unsigned high = b == last / 64 ? static_cast<unsigned>(last % 64) : 63;
      blocks.remainder_lane().shift_down(blocks.remainders(b), low, high);
      if constexpr (kRaw) LetterLane().shift_down(blocks.raw_letters(b), low, high);
      const std::uint64_t word = blocks.runends(b);
      blocks.set_runends(
          b, (word & ~bits::ones(low, high + 1)) | (word & bits::ones(low, high + 1) & ~bits::ones(low + 1)) >> 1);
      if (b == last / 64) break;
      copy_slot(blocks, 64 * (b + 1), 64 * (b + 1) - 1);
    }
    blocks.set_remainder(last, 0);
    if constexpr (kRaw) blocks.set_raw_letter(last, 0);
  }

 private:
  // Moves slots [low, high) of block b up by one; the runend bit of slot `low` is clear then.
  static TELESCOPE_ALWAYS_INLINE void open_in(B& blocks, std::uint64_t b, unsigned low, unsigned high) noexcept {
    blocks.remainder_lane().shift_up(blocks.remainders(b), low, high);
    if constexpr (kRaw) LetterLane().shift_up(blocks.raw_letters(b), low, high);
    const std::uint64_t word = blocks.runends(b);
    const std::uint64_t up_to_high = ~std::uint64_t{0} >> (63 - high);
    const std::uint64_t moved = word & up_to_high & ~std::uint64_t{0} << low;  // bit `high` is clear, or moves on
    blocks.set_runends(b, word - moved + (moved << 1 & up_to_high));
  }
  static void raise_offset(B& blocks, std::uint64_t b) noexcept {
    const unsigned offset = blocks.offset(b);
    if (offset < kSaturated) blocks.set_offset(b, offset + 1);
  }

  static void copy_slot(B& blocks, std::uint64_t from, std::uint64_t to) noexcept {
    blocks.set_remainder(to, blocks.remainder(from));
    blocks.set_runend(to, blocks.runend(from));
    if constexpr (kRaw) blocks.set_raw_letter(to, blocks.raw_letter(from));
  }

  // Lowers the offsets in one walk, before anything moves, since a saturated offset says only "255 or more".
  static void lower_offsets(B& blocks, std::uint64_t home, std::uint64_t last_block) noexcept {
    const Runs<B> runs(blocks);
    if (home == last_block) return;
    std::uint64_t start = runs.region_start(home);
    for (std::uint64_t b = home; b < last_block; ++b) {
      start = runs.region_end(b, start);
      blocks.set_offset(b + 1, start - 64 * (b + 1) - 1);
    }
  }
};

}  // namespace telescope::inline v1::detail
