// Reads the fields of a block, wherever the blocks are: the base of the three classes that hold blocks.
#pragma once

#include "telescope/detail/bits/lane.hpp"
#include "telescope/detail/block/layout.hpp"

namespace telescope::inline v1::detail {

// `Derived::at(block)` returns the address of a block. Slots and blocks are numbered without wrapping.
template <class Derived, class A>
class BlockFields {
 public:
  using Adaptation = A;
  using Layout = LayoutOf<A>;
  using RemainderLane = bits::Lane<A::kWidth>;
  using LetterLane = bits::Lane<8>;

  BlockFields() noexcept = default;
  explicit BlockFields(const A& adaptation) noexcept : adaptation_(adaptation) {}

  const A& adaptation() const noexcept { return adaptation_; }
  Layout layout() const noexcept { return Layout(adaptation_.width()); }
  std::size_t block_bytes() const noexcept { return layout().bytes(); }
  RemainderLane remainder_lane() const noexcept { return RemainderLane(adaptation_.width()); }

  unsigned offset(std::uint64_t block) const noexcept { return static_cast<unsigned>(at(block)[Layout::kHead]); }
  std::uint64_t occupieds(std::uint64_t block) const noexcept { return bits::load64(at(block) + Layout::kOccupieds); }
  std::uint64_t runends(std::uint64_t block) const noexcept { return bits::load64(at(block) + Layout::kRunends); }
  std::uint64_t code(std::uint64_t block) const noexcept requires(Layout::kCoded) {
    return bits::load64(at(block) + Layout::kHead) >> 8;
  }
  bool occupied(std::uint64_t quotient) const noexcept { return occupieds(quotient / 64) >> quotient % 64 & 1; }
  bool runend(std::uint64_t slot) const noexcept { return runends(slot / 64) >> slot % 64 & 1; }
  std::uint64_t remainder(std::uint64_t slot) const noexcept {
    return remainder_lane().get(at(slot / 64) + Layout::kRemainders, static_cast<unsigned>(slot % 64));
  }
  Letter raw_letter(std::uint64_t slot) const noexcept requires(Layout::kRaw) {
    return static_cast<Letter>(LetterLane().get(at(slot / 64) + layout().letters(), static_cast<unsigned>(slot % 64)));
  }

 private:
  TELESCOPE_ALWAYS_INLINE const std::byte* at(std::uint64_t block) const noexcept {
    return static_cast<const Derived&>(*this).at(block);
  }

  [[no_unique_address]] A adaptation_;
};

}  // namespace telescope::inline v1::detail
