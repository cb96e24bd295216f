// Where runs lie: rank and select over the metadata of the blocks. Reads only.
//
// The home region of block b is [S_b, S_b+1) with S_b = 64 b + offset_b: exactly the runs whose quotients lie in b, and
// the empty slots between them. Everything here follows from one function, limit(x).
#pragma once

#include <algorithm>

#include "telescope/detail/block/blocks.hpp"

namespace telescope::inline v1::detail {

struct Run {
  std::uint64_t first, end;  // slots [first, end)
  std::uint64_t length() const noexcept { return end - first; }
};

// Where a new member of a quotient goes: slots [at, empty) move up by one, then slot `at` is free.
struct Place {
  std::uint64_t at;
  std::uint64_t empty;
};

template <class B, class Isa = bits::Native>
class Runs {
 public:
  explicit Runs(const B& blocks) noexcept : blocks_(blocks) {}

  // Returns S_b, numbered without wrapping from block b's own slots. A saturated offset is derived from the nearest
  // block before it whose offset is not. There is one: where the spill falls to zero, the block boundary before it
  // spills less than 64.
  std::uint64_t region_start(std::uint64_t block) const noexcept {
    const unsigned offset = blocks_.offset(block);
    if (TELESCOPE_LIKELY(offset < kSaturated)) return 64 * block + offset;
    return derived_start(block);
  }

  // Returns S_b+1, given S_b.
  std::uint64_t region_end(std::uint64_t block, std::uint64_t start) const noexcept {
    const unsigned rank = Isa::popcount(blocks_.occupieds(block));
    return std::max(rank == 0 ? start : select(start, rank - 1) + 1, 64 * (block + 1));
  }

  // Returns the end of the runs with quotients <= x. Slot x is empty iff limit(x) <= x.
  std::uint64_t limit(std::uint64_t x) const noexcept { return limit(view(x / 64), x); }

  // Returns the run of an occupied quotient.
  Run run_of(std::uint64_t quotient) const noexcept {
    const std::uint64_t end = limit(quotient);
    const std::uint64_t before = quotient % 64 == 0 ? region_start(quotient / 64) : limit(quotient - 1);
    return {std::max(before, quotient), end};
  }

  // What a block alone tells about the slot of a new member of its quotient j. Up to a load of .7 most inserts need no
  // more. The steps are few, because each of them waits for the block.
  struct LocalSlot {
    unsigned at;             // max(limit(j), j), the slot to insert at, if that is below kNone
    std::uint64_t occupied;  // 0 if slot `at` is empty

    static constexpr unsigned kNone = 63;  // up to there all 64 quotients could be occupied: one rank too many
  };
  static TELESCOPE_ALWAYS_INLINE LocalSlot slot_in_own_block(const std::byte* block, unsigned j) noexcept {
    using L = typename B::Layout;
    const auto offset = static_cast<unsigned>(block[L::kHead]);
    const std::uint64_t occupieds = bits::load64(block + L::kOccupieds);
    const std::uint64_t limits = Isa::shift_right(bits::load64(block + L::kRunends), offset) << 1 | 1;
    const unsigned rank = Isa::popcount(Isa::shift_left(occupieds, ~j));
    const unsigned limit = offset + Isa::countr_zero(Isa::select_bit(limits, rank));
    const auto at = static_cast<unsigned>(Isa::max(static_cast<int>(limit), static_cast<int>(j)));
    // Whose run would start in slot `at`, if any: a quotient behind j, up to `at`. And some bit if at >= kNone.
    const std::uint64_t behind = occupieds & (~std::uint64_t{1} << j);
    return {.at = at, .occupied = Isa::low_bits(behind, at + 1) | (at + 1) / 64};
  }

  // Returns where a new member of the quotient goes: the end of its run, or the quotient's own slot. `local` is what
  // slot_in_own_block said. There must be an empty slot.
  Place place_for(std::uint64_t quotient, unsigned local) const noexcept {
    const std::uint64_t at =
        local < LocalSlot::kNone ? quotient / 64 * 64 + local : std::max(limit(quotient), quotient);
    return {at, first_empty(at)};
  }

  // Returns the first empty slot at or behind x. There must be one.
  std::uint64_t first_empty(std::uint64_t x) const noexcept {
    if constexpr (B::RemainderLane::kFindsZeros) {
      // Empty slots are zero, and hardly any other is.
      for (;; x += 64 - x % 64) {
        const std::byte* const block = blocks_.at(x / 64);
        std::uint64_t zeros = B::RemainderLane::zeros(block + B::Layout::kRemainders) & ~std::uint64_t{0} << x % 64;
        for (; zeros != 0; zeros &= zeros - 1) {
          if (is_empty(block, bits::countr_zero(zeros))) return x / 64 * 64 + bits::countr_zero(zeros);
        }
      }
    } else {
      for (;;) {
        const std::uint64_t next = limit(x);
        if (next <= x) return x;
        x = next;
      }
    }
  }

  // Returns the last slot that moves down when one of the slots up to `last` goes: the first x >= last with no run
  // crossing from quotients <= x to slots behind x.
  std::uint64_t last_shifted(std::uint64_t last) const noexcept {
    for (;;) {
      const std::uint64_t next = limit(last);
      if (next <= last + 1) return last;
      last = next - 1;
    }
  }

  // Returns the quotient of a used slot in the home region of `block`, which starts at `start`.
  std::uint64_t quotient_of(std::uint64_t block, std::uint64_t start, std::uint64_t slot) const noexcept {
    unsigned rank = 0;  // runs that end before the slot
    for (std::uint64_t x = start; x < slot; x += 64 - x % 64) {
      const std::uint64_t here = std::min(slot - x / 64 * 64, std::uint64_t{64});
      rank += Isa::popcount(blocks_.runends(x / 64) &
                            bits::ones(static_cast<unsigned>(x % 64), static_cast<unsigned>(here)));
    }
    return 64 * block + bits::countr_zero(Isa::select_bit(blocks_.occupieds(block), rank));
  }

 private:
  // What limit() needs of one block.
  struct View {
    std::uint64_t start;      // S_b
    std::uint64_t occupieds;  // of b
    std::uint64_t limits;     // bit i: slot S_b + i is where a run ended just before, or where the region starts
  };
  TELESCOPE_ALWAYS_INLINE View view(std::uint64_t block) const noexcept {
    const std::uint64_t start = region_start(block);
    return {start, blocks_.occupieds(block), blocks_.runends(wrap(start / 64)) >> start % 64 << 1 | 1};
  }
  TELESCOPE_ALWAYS_INLINE std::uint64_t limit(const View& view, std::uint64_t x) const noexcept {
    const unsigned rank = Isa::popcount(Isa::shift_left(view.occupieds, ~static_cast<unsigned>(x)));  // up to bit x
    const std::uint64_t bit = rank < 64 ? Isa::select_bit(view.limits, rank) : 0;
    if (TELESCOPE_LIKELY(bit != 0)) return view.start + Isa::countr_zero(bit);
    return select(view.start, rank - 1) + 1;
  }

  // Slot i of the block is empty iff the runs of all its quotients up to i end before it, behind those of other blocks.
  static TELESCOPE_ALWAYS_INLINE bool is_empty(const std::byte* block, unsigned i) noexcept {
    using L = typename B::Layout;
    const auto offset = static_cast<unsigned>(block[L::kHead]);
    if (i < offset) return false;
    const std::uint64_t runends = bits::load64(block + L::kRunends) & bits::ones(offset, i);
    return Isa::popcount(runends) == Isa::popcount(bits::load64(block + L::kOccupieds) << (63 - i));
  }

  TELESCOPE_NOINLINE std::uint64_t derived_start(std::uint64_t block) const noexcept {
    const std::uint64_t count = blocks_.count();
    std::uint64_t anchor = block + count;  // so that it may step back below zero
    do --anchor;
    while (anchor > block && blocks_.offset(anchor % count) == kSaturated);
    std::uint64_t start = 64 * anchor + blocks_.offset(anchor % count);
    for (; anchor < block + count; ++anchor) {
      const std::uint64_t at = anchor % count;
      start = region_end(at, start - 64 * (anchor - at)) + 64 * (anchor - at);
    }
    return start - 64 * count;
  }

  // Returns the slot of the rank-th runend (from 0) at or behind `start`.
  std::uint64_t select(std::uint64_t start, unsigned rank) const noexcept {
    std::uint64_t base = start;
    for (std::uint64_t steps = 0; steps <= blocks_.count(); ++steps) {
      const std::uint64_t word = blocks_.runends(wrap(base / 64)) >> base % 64;
      const std::uint64_t bit = rank < 64 ? Isa::select_bit(word, rank) : 0;
      if (bit != 0) return base + bits::countr_zero(bit);
      rank -= Isa::popcount(word);
      base += 64 - base % 64;
    }
    assert(!B::kSound && "more occupied quotients than runends");
    return start;
  }

  std::uint64_t wrap(std::uint64_t block) const noexcept {
    return block < blocks_.count() ? block : block % blocks_.count();
  }

  const B& blocks_;
};

}  // namespace telescope::inline v1::detail
