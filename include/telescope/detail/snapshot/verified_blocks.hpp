// The blocks of a snapshot as SlowProbe::walk sees them: each is read and verified before it is looked at. Once a block
// turns out to be bad, or a walk takes more reads than any consistent filter explains, every read returns a block that
// ends the search; failed() then says that the answer of the walk is worth nothing. One object serves one query.
#pragma once

#include <array>

#include "telescope/detail/block/block_fields.hpp"
#include "telescope/detail/snapshot/lazy_blocks.hpp"

namespace telescope::inline v1::detail {

template <class A>
class VerifiedBlocks : public BlockFields<VerifiedBlocks<A>, A> {
  using L = LayoutOf<A>;

 public:
  static constexpr bool kSound = false;

  explicit VerifiedBlocks(const LazyBlocks& blocks) noexcept
      : blocks_(blocks), data_(blocks.data()), count_(blocks.header().slots / kBlockSlots) {}

  bool failed() const noexcept { return failed_; }
  bool step_limit_reached() const noexcept { return reads_ > kMaxReads; }

  // Returns whether the blocks are intact that a probe from `block` on reads before it walks: three at most.
  bool verify_for_probe(std::uint64_t block) const noexcept {
    const std::uint64_t from = block * L().bytes();
    return blocks_.is_intact(from, std::min(from + 3 * L().bytes(), blocks_.header().blocks().length));
  }
  const std::byte* data() const noexcept { return data_; }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t slots() const noexcept { return count_ * kBlockSlots; }

  // Blocks are numbered without wrapping, and a forged file may send a walk round the ring any number of times.
  const std::byte* at(std::uint64_t block) const noexcept {
    const std::uint64_t from = block % count_ * L().bytes();
    failed_ = failed_ || ++reads_ > kMaxReads || !blocks_.is_intact(from, from + L().bytes());
    return failed_ ? kEnd.data() : data_ + from;
  }

 private:
  // A walk in a consistent filter takes some dozens of reads, unless the load is 99 % or more.
  static constexpr unsigned kMaxReads = 4096;

  // Every slot ends a run, and no run spills into the next block.
  static constexpr auto kEnd = [] {
    std::array<std::byte, L::kMaxBytes> end{};
    for (std::size_t i = 0; i < 8; ++i) end[L::kRunends + i] = std::byte{0xff};
    return end;
  }();

  const LazyBlocks& blocks_;
  const std::byte* data_;
  std::uint64_t count_;
  mutable unsigned reads_ = 0;
  mutable bool failed_ = false;
};

}  // namespace telescope::inline v1::detail
