// The array of blocks: owns the memory and writes the fields of a block. It knows nothing of runs.
//
// The array is circular. Slots and blocks are numbered without wrapping (a run that starts in the last block goes on at
// slot `slots()`), and wrapped here, at access.
#pragma once

#include <cassert>

#include "telescope/detail/block/block_fields.hpp"
#include "telescope/detail/memory.hpp"

namespace telescope::inline v1::detail {

template <class A>
class Blocks : public BlockFields<Blocks<A>, A> {
  using Fields = BlockFields<Blocks<A>, A>;
  using L = typename Fields::Layout;

 public:
  static constexpr bool kSound = true;  // no bytes out of a file

  // Zeros behind the last block. A query may look at the block behind any block without asking whether there is one: it
  // finds no runend there, and takes the slow path, which goes round the ring. And a comparison may start at any slot.
  static constexpr std::size_t kPadding = 128;
  static_assert(kPadding >= L::kRemainders + 63 + 16);

  Blocks() noexcept = default;

  // Makes `count` blocks of zeros. They are empty on failure; see operator bool.
  Blocks(std::uint64_t count, const A& adaptation, const Memory& memory) noexcept
      : Blocks(not_set(count, adaptation, memory)) {
    if (bytes_) std::memset(bytes_.get(), 0, size_bytes());
  }
  // The same for a caller who writes every block anyway.
  static Blocks not_set(std::uint64_t count, const A& adaptation, const Memory& memory) noexcept {
    Blocks blocks({}, count, adaptation, memory);
    blocks.bytes_ = allocate_array(blocks.size_bytes() + kPadding, memory);
    if (blocks) std::memset(blocks.data() + blocks.size_bytes(), 0, kPadding);
    return blocks;
  }
  // Takes bytes that are blocks already, with the padding.
  Blocks(ByteArray bytes, std::uint64_t count, const A& adaptation, const Memory& memory) noexcept
      : Fields(adaptation), bytes_(std::move(bytes)), count_(count), memory_(memory) {}

  explicit operator bool() const noexcept { return bytes_ != nullptr; }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t slots() const noexcept { return count_ * kBlockSlots; }
  std::size_t size_bytes() const noexcept { return count_ * this->block_bytes(); }
  const Memory& memory() const noexcept { return memory_; }
  std::byte* data() noexcept { return bytes_.get(); }
  const std::byte* data() const noexcept { return bytes_.get(); }

  // Returns the address of a block below count().
  TELESCOPE_ALWAYS_INLINE std::byte* at_unwrapped(std::uint64_t block) noexcept {
    return bytes_.get() + block * this->block_bytes();
  }
  TELESCOPE_ALWAYS_INLINE const std::byte* at(std::uint64_t block) const noexcept {
    return bytes_.get() + wrapped(block) * this->block_bytes();
  }
  TELESCOPE_ALWAYS_INLINE std::byte* at(std::uint64_t block) noexcept {
    return bytes_.get() + wrapped(block) * this->block_bytes();
  }

  void set_offset(std::uint64_t block, std::uint64_t offset) noexcept {
    at(block)[L::kHead] = static_cast<std::byte>(offset < kSaturated ? offset : kSaturated);
  }
  void set_occupieds(std::uint64_t block, std::uint64_t word) noexcept {
    bits::store64(at(block) + L::kOccupieds, word);
  }
  void set_runends(std::uint64_t block, std::uint64_t word) noexcept { bits::store64(at(block) + L::kRunends, word); }
  void set_code(std::uint64_t block, std::uint64_t code) noexcept requires(L::kCoded) {
    bits::store64(at(block) + L::kHead, code << 8 | this->offset(block));
  }
  void set_occupied(std::uint64_t quotient, bool value) noexcept {
    set_occupieds(quotient / 64, with_bit(this->occupieds(quotient / 64), quotient % 64, value));
  }
  void set_runend(std::uint64_t slot, bool value) noexcept {
    set_runends(slot / 64, with_bit(this->runends(slot / 64), slot % 64, value));
  }

  std::byte* remainders(std::uint64_t block) noexcept { return at(block) + L::kRemainders; }
  void set_remainder(std::uint64_t slot, std::uint64_t value) noexcept {
    this->remainder_lane().set(remainders(slot / 64), static_cast<unsigned>(slot % 64), value);
  }
  std::byte* raw_letters(std::uint64_t block) noexcept requires(L::kRaw) {
    return at(block) + this->layout().letters();
  }
  void set_raw_letter(std::uint64_t slot, Letter letter) noexcept requires(L::kRaw) {
    bits::Lane<8>().set(raw_letters(slot / 64), static_cast<unsigned>(slot % 64), letter);
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

}  // namespace telescope::inline v1::detail
