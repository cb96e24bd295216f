// The slack of a block: bits of its code that no letter needs yet. Each holds one more fingerprint bit of a member.
#pragma once

#include <algorithm>
#include <cstdint>

#include "telescope/detail/bits/word.hpp"

namespace telescope::inline v1::detail {

// Entry i belongs to slot S_b + i, as letters do. A slot that has an entry matches only queries with the same bit; the
// entry of an empty slot is zero. Entries are known for the first `size` slots. Letters take bits away from the last
// ones. To drop an entry is always safe, because a shorter fingerprint still matches its member.
struct Slack {
  static constexpr unsigned kMost = 53;    // what a code without letters has room for
  static constexpr unsigned kEdited = 63;  // more, so that what moves up and down again is not lost between

  std::uint64_t bits = 0;  // entry i is bit i; zero from `size` on
  unsigned size = kMost;

  static constexpr Slack none() noexcept { return {.bits = 0, .size = 0}; }

  constexpr bool has(std::uint64_t index) const noexcept { return index < size; }
  constexpr unsigned at(unsigned index) const noexcept { return static_cast<unsigned>(bits >> index & 1); }

  // Sets the entry of a slot, if those before it are known.
  constexpr void set(std::uint64_t index, unsigned bit) noexcept {
    if (index > size || index >= kEdited) return;
    size = std::max(size, static_cast<unsigned>(index) + 1);
    bits = (bits & ~(std::uint64_t{1} << index)) | std::uint64_t{bit} << index;
  }
  // Inserts the entry of an empty slot: those from there on move up by one.
  constexpr void open(std::uint64_t index) noexcept {
    if (index > size) return;
    const std::uint64_t below = bits & bits::ones(static_cast<unsigned>(index));
    bits = (below | (bits ^ below) << 1) & bits::ones(kEdited);
    size = std::min(size + 1, kEdited);
  }
  // Removes an entry: those behind it move down by one.
  constexpr void close(std::uint64_t index) noexcept {
    if (!has(index)) return;
    const std::uint64_t below = bits & bits::ones(static_cast<unsigned>(index));
    bits = below | (bits ^ below) >> (index + 1) << index;
    --size;
  }
  // Says that the slots from `end` on are empty, in the region and behind it.
  constexpr void end_at(std::uint64_t end) noexcept {
    if (end <= size) size = std::max(size, kMost);
  }
  constexpr void truncate(unsigned entries) noexcept {
    size = std::min(size, entries);
    bits &= bits::ones(size);
  }

  friend constexpr bool operator==(const Slack&, const Slack&) = default;
};

}  // namespace telescope::inline v1::detail
