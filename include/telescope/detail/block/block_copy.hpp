// A copy of a block and of those behind it: enough to walk any run of the first one. What a reader takes along before
// it makes sure that no writer was at work, so that the walk itself meets whole runs only.
#pragma once

#include "telescope/detail/block/blocks.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// Looks like Blocks to Runs and Probe::walk. The first block has number 0, and its quotients are 0 to 63.
template <class L, unsigned R>
class BlockCopy {
 public:
  static constexpr bool kSound = true;  // walked only once nobody has written meanwhile
  // If the offsets of the first two blocks are not saturated, the first one's runs end at slot 64 + 254 or before.
  static constexpr std::uint64_t kBlocks = 1 + (64 + kSaturated) / 64;

  template <class B>
  BlockCopy(const B& blocks, std::uint64_t first) noexcept {
    for (std::uint64_t i = 0; i < kBlocks; ++i) {
      std::memcpy(bytes_.data() + i * L::kBytes, blocks.at((first + i) % blocks.count()), L::kBytes);
    }
  }

  bool saturated() const noexcept { return offset(0) == kSaturated || offset(1) == kSaturated; }

  static std::uint64_t count() noexcept { return kBlocks; }
  unsigned offset(std::uint64_t block) const noexcept { return static_cast<unsigned>(at(block)[L::kHead]); }
  std::uint64_t occupieds(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kOccupieds); }
  std::uint64_t runends(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kRunends); }
  std::uint64_t code(std::uint64_t block) const noexcept requires(L::kCoded) {
    return bits::load64(at(block) + L::kHead) >> 8;
  }
  bool occupied(std::uint64_t quotient) const noexcept { return occupieds(quotient / 64) >> quotient % 64 & 1; }
  std::uint64_t remainder(std::uint64_t slot) const noexcept {
    return bits::Lane<R>::get(at(slot / 64) + L::kRemainders, static_cast<unsigned>(slot % 64));
  }
  Letter raw_letter(std::uint64_t slot) const noexcept requires(L::kRaw) {
    return static_cast<Letter>(bits::Lane<8>::get(at(slot / 64) + L::kLetters, static_cast<unsigned>(slot % 64)));
  }

 private:
  const std::byte* at(std::uint64_t block) const noexcept {
    assert(block < kBlocks);
    return bytes_.data() + block * L::kBytes;
  }

  std::array<std::byte, kBlocks * L::kBytes> bytes_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
