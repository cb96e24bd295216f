// A quick check that blocks hold together: enough that no operation on them reads or writes where it should not, or
// fails to end. For blocks that come out of a file. check.hpp has every invariant, and takes twenty times as long.
//
//   open(x) = quotients up to x - runends up to x         the runs that have begun, and do not end by slot x
//
// Runs lie right iff open(x) is never below zero. Slot x is used iff open(x) is above, or a run ends there. The offset
// of block b must lead just behind the open(64 b - 1)-th runend from slot 64 b on. Eight slots are counted at once, a
// byte for each. Where inserts look for zeros (Runs::first_empty), the empty slots must be zero.
// Then each letter must belong to a used slot of its home region.
#pragma once

#include <algorithm>
#include <array>

#include "telescope/detail/check/check.hpp"
#include "telescope/detail/query/run_compare.hpp"

namespace telescope::inline v1::detail {

template <class B, class Isa>
class QuickCheck {
  using L = typename B::Layout;

 public:
  QuickCheck(const B& blocks, std::uint64_t size) noexcept : blocks_(blocks), size_(size) {}

  // Returns what is wrong, or null.
  const char* run() const noexcept {
    if (const char* wrong = check_runs()) return wrong;
    if constexpr (L::kCoded) return check_letters();
    return nullptr;
  }

  const char* check_runs() const noexcept {
    const std::uint64_t count = blocks_.count();
    std::uint64_t anchor = 0;
    while (anchor < count && blocks_.offset(anchor) == kSaturated) ++anchor;
    if (anchor == count) return "every offset is saturated";

    const std::uint64_t first = ends_within(anchor, blocks_.offset(anchor));
    std::uint64_t open = first, most = first, empty = 0, runends = 0;
    for (std::uint64_t i = anchor; i < anchor + count; ++i) {
      const std::uint64_t b = i < count ? i : i - count;
      if (!offset_agrees(b, open)) return "an offset is not where the runs before the block end";
      runends += Isa::popcount(blocks_.runends(b));
      std::uint64_t used = ~std::uint64_t{0};
      if (!count_block(blocks_.occupieds(b), blocks_.runends(b), open, used)) return "a run ends before it begins";
      if constexpr (B::RemainderLane::kFindsZeros) {
        if ((used | B::RemainderLane::zeros(blocks_.at(b) + L::kRemainders)) != ~std::uint64_t{0}) {
          return "an empty slot is not zero";
        }
      }
      empty += Isa::popcount(~used);
      most = std::max(most, open);
    }
    if (open != first) return "the numbers of occupied quotients and of runends differ";
    if (most > runends) return "the runs spill further than there are slots";
    if (blocks_.slots() - empty != size_) return "the number of used slots is not the number of members";
    return nullptr;
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kTops = 0x8080808080808080;

  // Returns in byte i how many bits are set in the bytes 0 .. i.
  static std::uint64_t prefix_counts(std::uint64_t word) noexcept {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return ((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * kOnes;
  }

  // Counts through the 64 slots of a block: `open` becomes that before the next block, and in `used`, all ones, the
  // bits of empty slots are cleared. Byte i of `now` counts for slot 8 i, then for slot 8 i + 1, and so on: eight slots
  // that lie eight apart.
  static bool count_block(std::uint64_t occupieds, std::uint64_t runends, std::uint64_t& open,
                          std::uint64_t& used) noexcept {
    const std::uint64_t begun = prefix_counts(occupieds), ended = prefix_counts(runends);
    const std::uint64_t before = open;
    open += (begun >> 56) - (ended >> 56);
    if (before >= 64) return true;  // 64 runends do not bring it below zero, and no slot is empty
    std::uint64_t now = ((before * kOnes + (begun << 8)) | kTops) - (ended << 8);
    if ((now & kTops) != kTops) return false;
    now &= ~kTops;
    std::uint64_t misplaced = 0;
    used = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t ends = runends >> i & kOnes;
      now += occupieds >> i & kOnes;
      const std::uint64_t here = (now + ~kTops) & kTops;  // the top of each byte that is not zero
      misplaced |= (ends << 7) & ~here;
      used |= here >> (7 - i);
      now -= ends;
    }
    return misplaced == 0;
  }

  // Returns the number of runends in `slots` slots from block b's first on.
  std::uint64_t ends_within(std::uint64_t b, unsigned slots) const noexcept {
    std::uint64_t ends = 0;
    for (;; b = next(b), slots -= 64) {
      ends += Isa::popcount(blocks_.runends(b) & bits::ones(std::min(slots, 64u)));
      if (slots <= 64) return ends;
    }
  }

  bool offset_agrees(std::uint64_t b, std::uint64_t open) const noexcept {
    const unsigned offset = blocks_.offset(b);
    if (offset == 0 || open == 0) return offset == open;
    if (offset == kSaturated) return ends_within(b, kSaturated - 1) < open;
    if (offset > 64) return ends_within(b, offset) == open && ends_within(b, offset - 1) < open;
    const std::uint64_t ends = blocks_.runends(b) << (64 - offset);
    return ends >> 63 == 1 && Isa::popcount(ends) == open;
  }

  const char* check_letters() const noexcept {
    const Runs<B, Isa> runs(blocks_);
    for (std::uint64_t b = 0; b < blocks_.count(); ++b) {
      const std::uint64_t code = blocks_.code(b);
      if (!RunCompare<B>::has_letters(code)) continue;
      const std::uint64_t start = runs.region_start(b);
      const std::uint64_t end = runs.region_end(b, start);
      const Letters letters = blocks_.adaptation().codec().decode(code);
      for (const PlacedLetter& p : letters.placed()) {
        const std::uint64_t slot = start + p.index;
        if (slot >= end || !used(runs, b, slot)) return "a letter belongs to no used slot";
      }
    }
    return nullptr;
  }
  // Returns whether a slot of the region of block b holds a member.
  static bool used(const Runs<B, Isa>& runs, std::uint64_t b, std::uint64_t slot) noexcept {
    if (slot >= 64 * (b + 1)) return true;  // behind the block, its runs lie one after the other
    return runs.limit(slot) > slot;
  }

  std::uint64_t next(std::uint64_t b) const noexcept { return b + 1 < blocks_.count() ? b + 1 : 0; }

  const B& blocks_;
  std::uint64_t size_;
};

}  // namespace telescope::inline v1::detail
