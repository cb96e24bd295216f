// Blocks out of a mapped file, as a probe that walks sees them: each is verified before it is read. Where that fails,
// and where a walk is so long that no sound filter explains it, it reads a block that ends every search; the answer is
// then worth nothing, and in_doubt() says so. One object per query.
#pragma once

#include <array>

#include "telescope/detail/block/layout.hpp"
#include "telescope/detail/snapshot/mapping.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class L, unsigned R>
class WaryBlocks {
 public:
  static constexpr bool kSound = false;

  explicit WaryBlocks(const Mapping& mapping) noexcept
      : mapping_(mapping), data_(mapping.blocks()), count_(mapping.header().slots / kBlockSlots) {}

  bool in_doubt() const noexcept { return in_doubt_; }
  bool tired() const noexcept { return steps_ > kPatience; }

  // The probe itself reads no further than three blocks from here: whether they are sound.
  bool near(std::uint64_t block) const noexcept {
    const std::uint64_t from = block * L::kBytes;
    return mapping_.sound(from, std::min(from + 3 * L::kBytes, mapping_.header().blocks().length));
  }
  const std::byte* data() const noexcept { return data_; }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t slots() const noexcept { return count_ * kBlockSlots; }

  unsigned offset(std::uint64_t block) const noexcept { return static_cast<unsigned>(at(block)[L::kHead]); }
  std::uint64_t occupieds(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kOccupieds); }
  std::uint64_t runends(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kRunends); }
  std::uint64_t code(std::uint64_t block) const noexcept requires(L::kCoded) {
    return bits::load64(at(block) + L::kHead) >> 8;
  }
  std::uint64_t remainder(std::uint64_t slot) const noexcept {
    return bits::Lane<R>::get(at(slot / 64) + L::kRemainders, static_cast<unsigned>(slot % 64));
  }
  Letter raw_letter(std::uint64_t slot) const noexcept requires(L::kRaw) {
    return static_cast<Letter>(bits::Lane<8>::get(at(slot / 64) + L::kLetters, static_cast<unsigned>(slot % 64)));
  }

 private:
  // Reads of one walk. In a sound filter it takes some dozens, but for loads of 99 % and more.
  static constexpr unsigned kPatience = 4096;

  // Every slot ends a run, nothing spills.
  static constexpr std::array<std::byte, L::kBytes> kEnd = [] {
    std::array<std::byte, L::kBytes> end{};
    for (std::size_t i = 0; i < 8; ++i) end[L::kRunends + i] = std::byte{0xff};
    return end;
  }();

  // Slots are numbered without wrapping, in a file that lies by any number of laps.
  const std::byte* at(std::uint64_t block) const noexcept {
    const std::uint64_t from = block % count_ * L::kBytes;
    in_doubt_ = in_doubt_ || ++steps_ > kPatience || !mapping_.sound(from, from + L::kBytes);
    return in_doubt_ ? kEnd.data() : data_ + from;
  }

  const Mapping& mapping_;
  const std::byte* data_;
  std::uint64_t count_;
  mutable unsigned steps_ = 0;
  mutable bool in_doubt_ = false;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
