// The letters of one block, sparse: only those that are not zero, by index into the block's home region.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include "telescope/letter.hpp"

namespace telescope::inline v1 {

namespace detail {

struct PlacedLetter {
  std::uint32_t index;  // slot - S_b
  Letter letter;        // never zero
  friend bool operator==(const PlacedLetter&, const PlacedLetter&) = default;
};

class Letters {
 public:
  // No 56-bit code holds more: a letter that is not zero costs at least one bit.
  static constexpr unsigned kCapacity = 64;

  // Copies only the letters that are there, which are few: an adapt makes several copies.
  Letters() noexcept {}
  Letters(const Letters& other) noexcept { *this = other; }
  Letters& operator=(const Letters& other) noexcept {
    size_ = other.size_;
    std::copy_n(other.placed_.data(), size_, placed_.data());
    return *this;
  }

  bool empty() const noexcept { return size_ == 0; }
  unsigned size() const noexcept { return size_; }
  std::span<const PlacedLetter> placed() const& noexcept { return {placed_.data(), size_}; }
  std::span<const PlacedLetter> placed() && = delete;  // it would dangle

  // Reads all of them, because a branch on the right one would be mispredicted.
  Letter at(std::uint32_t index) const noexcept {
    Letter letter = 0;
    for (const PlacedLetter& p : placed()) letter |= p.letter & (Letter{0} - Letter{p.index == index});
    return letter;
  }

  // Appends a letter behind the last one: for decoders. Returns false when there is no room.
  bool push(std::uint32_t index, Letter letter) noexcept {
    if (size_ == kCapacity) return false;
    placed_[size_++] = {index, letter};
    return true;
  }

  // The same without a branch, for decoders: stage() writes the next letter, any number of times, and keep() keeps it
  // or not. Up to kCapacity letters may be kept, and one more staged.
  void stage(std::uint32_t index, Letter letter) noexcept { placed_[size_] = {index, letter}; }
  void keep(bool really) noexcept { size_ += really ? 1 : 0; }

  // Sets one letter; zero removes it. Returns false when there is no room.
  bool set(std::uint32_t index, Letter letter) noexcept {
    const unsigned i = lower_bound(index);
    const bool held = i < size_ && placed_[i].index == index;
    if (letter == 0) {
      if (held) remove(i);
      return true;
    }
    if (!held) {
      if (size_ == kCapacity) return false;
      for (unsigned j = size_++; j > i; --j) placed_[j] = placed_[j - 1];
    }
    placed_[i] = {index, letter};
    return true;
  }

  // Inserts a zero letter at `index`: the letters from there on move up by one.
  void open(std::uint32_t index) noexcept {
    for (unsigned i = lower_bound(index); i < size_; ++i) ++placed_[i].index;
  }

  // Removes the letter at `index`: the letters behind it move down by one.
  void close(std::uint32_t index) noexcept {
    const unsigned first = lower_bound(index);
    if (first < size_ && placed_[first].index == index) remove(first);
    for (unsigned i = first; i < size_; ++i) --placed_[i].index;
  }

  void clear() noexcept { size_ = 0; }

  friend bool operator==(const Letters& a, const Letters& b) noexcept {
    if (a.size_ != b.size_) return false;
    for (unsigned i = 0; i < a.size_; ++i) {
      if (a.placed_[i] != b.placed_[i]) return false;
    }
    return true;
  }

 private:
  unsigned lower_bound(std::uint32_t index) const noexcept {
    unsigned below = 0;
    for (const PlacedLetter& p : placed()) below += p.index < index;
    return below;
  }
  void remove(unsigned i) noexcept {
    --size_;
    for (; i < size_; ++i) placed_[i] = placed_[i + 1];
  }

  std::array<PlacedLetter, kCapacity + 1> placed_;  // sorted by index; only the first size_ mean anything
  unsigned size_ = 0;
};

// A code keeps the letters of a block in kCodeBits bits.
inline constexpr unsigned kCodeBits = 56;

// How many remainders of a query a probe compares at once; a code that holds a letter beyond says so
// (Codec::exceeds_candidates). Of bytes four, though eight would do: a letter beyond the third is rare, and four
// candidates are hit half as often without a letter's choosing them, and take half a register (docs/benchmarks.md).
constexpr Letter candidates(unsigned width) noexcept { return width == 8 ? 4 : std::min(8u, 64 / width); }

// Laws, for every model:
//   decode is total: any 56 bits decode to something, in bounded time and without undefined behaviour;
//   decode(0) is empty, and encode of no letters is 0;
//   encode answers nullopt for "does not fit" and otherwise a word below 2^56 with decode(*encode(l)) == l;
//   letter_at(c, i) == decode(c).at(i);
//   if any letter of decode(c) is candidates() or more, exceeds_candidates(c) is not zero: a probe that looks at the
//   remainders under letters below candidates() alone may then miss a member and must decode.
//   exceeds_candidates(0) is zero.
template <class C>
concept Codec = requires(const C codec, std::uint64_t code, const Letters& letters, std::uint32_t index) {
  { codec.decode(code) }
  noexcept->std::same_as<Letters>;
  { codec.encode(letters) }
  noexcept->std::same_as<std::optional<std::uint64_t>>;
  { codec.letter_at(code, index) }
  noexcept->std::same_as<Letter>;
  { codec.exceeds_candidates(code) }
  noexcept->std::same_as<std::uint64_t>;
};

}  // namespace detail
}  // namespace telescope::inline v1
