// The bytes of a block of 64 slots.
//
//   TAF, exAF                          RSQF, uTAF
//   0      runends     64 bits         0      runends     64 bits
//   8      occupieds   64 bits         8      occupieds   64 bits
//   16     offset       8 bits         16     offset       8 bits
//   17     code        56 bits         17     remainders  64 R bits
//   24     remainders  64 R bits       17+8R  letters     64 bytes (uTAF only)
//
// Runends come first: a query reads those of the next block too, and there they lie right behind this block's
// remainders, most often in a cache line that is needed anyway.
// Little-endian on every machine. At R = 8: TAF 88 bytes, 11 bits per slot; RSQF 81 bytes, 10.125 bits per slot.
#pragma once

#include "telescope/detail/adapt/policy.hpp"
#include "telescope/detail/bits/width.hpp"

namespace telescope::inline v1::detail {

inline constexpr unsigned kBlockSlots = 64;

// An offset of kSaturated means "this or more": it is derived from the blocks before (Runs::region_start).
inline constexpr unsigned kSaturated = 255;

template <unsigned R, LetterStorage kStorage>
struct Layout : bits::Width<R> {
  using bits::Width<R>::Width;

  static constexpr bool kCoded = kStorage == LetterStorage::coded;
  static constexpr bool kRaw = kStorage == LetterStorage::raw;

  static constexpr std::size_t kRunends = 0;
  static constexpr std::size_t kOccupieds = 8;
  static constexpr std::size_t kHead = 16;  // offset in the low byte, the code above it
  static constexpr std::size_t kRemainders = kHead + (kCoded ? 8 : 1);

  // Where the raw letters begin, and the size of a block.
  constexpr std::size_t letters() const noexcept { return kRemainders + 8 * this->width(); }
  constexpr std::size_t bytes() const noexcept { return letters() + (kRaw ? kBlockSlots : 0); }
  // The size of the largest block: for arrays.
  static constexpr std::size_t kMaxBytes = kRemainders + 8 * (R == 0 ? bits::kMaxWidth : R) + (kRaw ? kBlockSlots : 0);
};

static_assert(Layout<8, LetterStorage::coded>().bytes() == 88);  // 11 bits per slot
static_assert(Layout<8, LetterStorage::none>().bytes() == 81);   // 10.125 bits per slot

template <class A>
using LayoutOf = Layout<A::kWidth, A::kStorage>;

}  // namespace telescope::inline v1::detail
