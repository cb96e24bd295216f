// Finds out which member is in which slot of a run. The filter does not know; the store yields the members of the run,
// and a member fits a slot if the slot stores its remainder under the slot's letter. A perfect matching exists as long
// as filter and store agree, and every perfect matching is a valid state: ties need no further information.
#pragma once

#include <cstdint>

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/scratch.hpp"
#include "telescope/function_ref.hpp"

namespace telescope::inline v1::detail {

inline constexpr std::uint32_t kUnmatched = ~std::uint32_t{0};

enum class Match { perfect, none, no_memory };
using Matching = Scratch<std::uint32_t, 32>;

// Completes a matching that leaves slots out, or makes one from nothing: greedily, then by augmenting paths, breadth
// first.
TELESCOPE_NOINLINE inline Match match_patiently(std::uint32_t n, FunctionRef<bool(std::uint32_t, std::uint32_t)> fits,
                                                Matching& member_of) noexcept {
  Matching slot_of(member_of.memory()), reached_from(member_of.memory()), queue(member_of.memory());
  if (!member_of.resize(n, kUnmatched) || !slot_of.resize(n, kUnmatched)) return Match::no_memory;
  std::uint32_t unmatched = n;
  for (std::uint32_t slot = 0; slot < n; ++slot) {
    if (member_of[slot] == kUnmatched) continue;
    slot_of[member_of[slot]] = slot;
    --unmatched;
  }
  std::uint32_t first_free = 0;
  for (std::uint32_t slot = 0; slot < n; ++slot) {
    if (member_of[slot] != kUnmatched) continue;
    while (first_free < n && slot_of[first_free] != kUnmatched) ++first_free;
    for (std::uint32_t member = first_free; member < n; ++member) {
      if (slot_of[member] == kUnmatched && fits(slot, member)) {
        slot_of[member] = slot;
        member_of[slot] = member;
        --unmatched;
        break;
      }
    }
  }
  for (std::uint32_t root = 0; unmatched > 0 && root < n; ++root) {
    if (member_of[root] != kUnmatched) continue;
    if (!reached_from.resize(0, 0) || !reached_from.resize(n, kUnmatched) || !queue.resize(0, 0) || !queue.push(root)) {
      return Match::no_memory;
    }
    bool augmented = false;
    for (std::size_t head = 0; head < queue.size() && !augmented; ++head) {
      const std::uint32_t slot = queue[head];
      for (std::uint32_t member = 0; member < n; ++member) {
        if (reached_from[member] != kUnmatched || !fits(slot, member)) continue;
        reached_from[member] = slot;
        if (slot_of[member] != kUnmatched) {
          if (!queue.push(slot_of[member])) return Match::no_memory;
          continue;
        }
        for (std::uint32_t at = member; at != kUnmatched;) {  // flip the path back to the root
          const std::uint32_t from = reached_from[at];
          const std::uint32_t before = member_of[from];
          member_of[from] = at;
          slot_of[at] = from;
          at = before;
        }
        augmented = true;
        break;
      }
    }
    if (!augmented) return Match::none;
    --unmatched;
  }
  return Match::perfect;
}

// Matches slots and members, both numbered 0 .. n - 1, such that fits(slot, member). On success member_of[slot] is a
// permutation. A greedy matching nearly always suffices.
template <class Fits>
Match match_perfectly(std::uint32_t n, const Fits& fits, Matching& member_of) noexcept {
  if (n > 64) return match_patiently(n, fits, member_of);
  std::uint64_t free = bits::ones(n);
  bool perfect = true;
  for (std::uint32_t slot = 0; slot < n; ++slot) {
    std::uint64_t fitting = 0;
    for (std::uint64_t some = free; some != 0 && fitting == 0; some &= some - 1) {
      if (fits(slot, bits::countr_zero(some))) fitting = some & (~some + 1);
    }
    perfect &= fitting != 0;
    free &= ~fitting;
    if (!member_of.push(fitting != 0 ? bits::countr_zero(fitting) : kUnmatched)) return Match::no_memory;
  }
  return perfect ? Match::perfect : match_patiently(n, fits, member_of);
}

}  // namespace telescope::inline v1::detail
