// A copy of a block and of those behind it: enough to walk any run of the first one. A reader makes it, then checks
// that no writer was at work, and walks the copy, which has whole runs only.
#pragma once

#include "telescope/detail/block/blocks.hpp"

namespace telescope::inline v1::detail {

// Looks like Blocks to Runs and SlowProbe::walk. The first block has number 0, and its quotients are 0 to 63.
template <class A>
class BlockCopy : public BlockFields<BlockCopy<A>, A> {
  using L = LayoutOf<A>;

 public:
  static constexpr bool kSound = true;  // walked only once nobody has written meanwhile
  // If the offsets of the first two blocks are not saturated, the first one's runs end at slot 64 + 254 or before.
  static constexpr std::uint64_t kBlocks = 1 + (64 + kSaturated) / 64;

  BlockCopy(const Blocks<A>& blocks, std::uint64_t first) noexcept : BlockFields<BlockCopy<A>, A>(blocks.adaptation()) {
    for (std::uint64_t i = 0; i < kBlocks; ++i) {
      std::memcpy(bytes_.data() + i * L::kMaxBytes, blocks.at((first + i) % blocks.count()), blocks.block_bytes());
    }
  }

  bool saturated() const noexcept { return this->offset(0) == kSaturated || this->offset(1) == kSaturated; }
  static std::uint64_t count() noexcept { return kBlocks; }

  const std::byte* at(std::uint64_t block) const noexcept {
    assert(block < kBlocks);
    return bytes_.data() + block * L::kMaxBytes;
  }

 private:
  std::array<std::byte, kBlocks * L::kMaxBytes> bytes_;
};

}  // namespace telescope::inline v1::detail
