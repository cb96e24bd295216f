// The array of blocks: owns the memory, reads and writes the fields of a block. Knows nothing of runs.
//
// The array is circular. Slots and blocks are numbered without wrapping (a run that starts in the last block goes on at
// slot `slots()`), and wrapped here, at access.
#pragma once

#include <cassert>

#include "telescope/detail/block/layout.hpp"
#include "telescope/detail/memory.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class L, unsigned R>
class Blocks {
 public:
  using Layout = L;
  using RemainderLane = bits::Lane<R>;
  using LetterLane = bits::Lane<8>;
  static constexpr bool kSound = true;  // not some bytes out of a file

  // Zeros behind the last block. A query may look at the block behind any block without asking whether there is one: it
  // finds no runend there, and takes the slow path, which goes round the ring. And a comparison may start at any slot.
  static constexpr std::size_t kPadding = 128;
  static_assert(R != 8 || kPadding >= L::kRemainders + 63 + 16);

  Blocks() = default;

  // Zeros. Empty on failure; see operator bool.
  explicit Blocks(std::uint64_t count, const Memory& memory = {}) noexcept : Blocks(not_set(count, memory)) {
    if (bytes_) std::memset(bytes_.get(), 0, size_bytes());
  }
  // For who writes every block anyway.
  static Blocks not_set(std::uint64_t count, const Memory& memory) noexcept {
    Blocks blocks(allocate_array(count * L::kBytes + kPadding, memory), count, memory);
    if (blocks) std::memset(blocks.data() + blocks.size_bytes(), 0, kPadding);
    return blocks;
  }
  // Bytes that are blocks already, with the padding.
  Blocks(ByteArray bytes, std::uint64_t count, const Memory& memory) noexcept
      : bytes_(std::move(bytes)), count_(count), memory_(memory) {}

  explicit operator bool() const noexcept { return bytes_ != nullptr; }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t slots() const noexcept { return count_ * kBlockSlots; }
  std::size_t size_bytes() const noexcept { return count_ * L::kBytes; }
  const Memory& memory() const noexcept { return memory_; }
  std::byte* data() noexcept { return bytes_.get(); }
  const std::byte* data() const noexcept { return bytes_.get(); }

  // Of the first lap.
  TELESCOPE_ALWAYS_INLINE std::byte* own(std::uint64_t block) noexcept { return bytes_.get() + block * L::kBytes; }
  TELESCOPE_ALWAYS_INLINE const std::byte* at(std::uint64_t block) const noexcept {
    return bytes_.get() + wrapped(block) * L::kBytes;
  }
  TELESCOPE_ALWAYS_INLINE std::byte* at(std::uint64_t block) noexcept {
    return bytes_.get() + wrapped(block) * L::kBytes;
  }

  unsigned offset(std::uint64_t block) const noexcept { return static_cast<unsigned>(at(block)[L::kHead]); }
  void set_offset(std::uint64_t block, std::uint64_t offset) noexcept {
    at(block)[L::kHead] = static_cast<std::byte>(offset < kSaturated ? offset : kSaturated);
  }

  std::uint64_t occupieds(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kOccupieds); }
  void set_occupieds(std::uint64_t block, std::uint64_t word) noexcept {
    bits::store64(at(block) + L::kOccupieds, word);
  }
  std::uint64_t runends(std::uint64_t block) const noexcept { return bits::load64(at(block) + L::kRunends); }
  void set_runends(std::uint64_t block, std::uint64_t word) noexcept { bits::store64(at(block) + L::kRunends, word); }

  std::uint64_t code(std::uint64_t block) const noexcept requires(L::kCoded) {
    return bits::load64(at(block) + L::kHead) >> 8;
  }
  void set_code(std::uint64_t block, std::uint64_t code) noexcept requires(L::kCoded) {
    bits::store64(at(block) + L::kHead, code << 8 | offset(block));
  }

  bool occupied(std::uint64_t quotient) const noexcept { return occupieds(quotient / 64) >> quotient % 64 & 1; }
  void set_occupied(std::uint64_t quotient, bool value) noexcept {
    set_occupieds(quotient / 64, with_bit(occupieds(quotient / 64), quotient % 64, value));
  }
  bool runend(std::uint64_t slot) const noexcept { return runends(slot / 64) >> slot % 64 & 1; }
  void set_runend(std::uint64_t slot, bool value) noexcept {
    set_runends(slot / 64, with_bit(runends(slot / 64), slot % 64, value));
  }

  std::byte* remainders(std::uint64_t block) noexcept { return at(block) + L::kRemainders; }
  std::uint64_t remainder(std::uint64_t slot) const noexcept {
    return RemainderLane::get(at(slot / 64) + L::kRemainders, static_cast<unsigned>(slot % 64));
  }
  void set_remainder(std::uint64_t slot, std::uint64_t value) noexcept {
    RemainderLane::set(remainders(slot / 64), static_cast<unsigned>(slot % 64), value);
  }

  std::byte* raw_letters(std::uint64_t block) noexcept requires(L::kRaw) { return at(block) + L::kLetters; }
  Letter raw_letter(std::uint64_t slot) const noexcept requires(L::kRaw) {
    return static_cast<Letter>(LetterLane::get(at(slot / 64) + L::kLetters, static_cast<unsigned>(slot % 64)));
  }
  void set_raw_letter(std::uint64_t slot, Letter letter) noexcept requires(L::kRaw) {
    LetterLane::set(raw_letters(slot / 64), static_cast<unsigned>(slot % 64), letter);
  }

 private:
  static std::uint64_t with_bit(std::uint64_t word, std::uint64_t bit, bool value) noexcept {
    return (word & ~(std::uint64_t{1} << bit)) | std::uint64_t{value} << bit;
  }
  TELESCOPE_ALWAYS_INLINE std::uint64_t wrapped(std::uint64_t block) const noexcept {
    assert(block < 2 * count_);
    return block < count_ ? block : block - count_;
  }

  ByteArray bytes_;
  std::uint64_t count_ = 0;
  Memory memory_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
