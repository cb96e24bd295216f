// Finds out which member is in which slot of a run. The filter does not know; the store yields the members of the run,
// and a member fits a slot if the slot stores its remainder under the slot's letter, and its slack bit, if it has one.
// A perfect matching exists as long
// as filter and store agree, and every perfect matching is a valid state: ties need no further information.
#pragma once

#include <cstdint>

#include "telescope/detail/adapt/policy.hpp"
#include "telescope/detail/update/class_matching.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {

template <class A>
TELESCOPE_ALWAYS_INLINE bool fits(const A& adaptation, const SlotContent& slot, const Hash& hash) noexcept {
  if (!adaptation.fits(slot.remainder, slot.letter, hash)) return false;
  if constexpr (kHasSlack<A>) {
    return slot.slack == SlackEntry::none || slot.slack == static_cast<SlackEntry>(slack_bit(hash));
  }
  return true;
}

// Gives each slot the first member left that fits it. Nearly always finds a perfect matching, if there is one.
template <class A, class ContentOf, class MemberAt>
Match match_greedily(const A& adaptation, std::uint32_t n, const ContentOf& content_of, const MemberAt& member_at,
                     Matching& member_of) noexcept {
  std::uint64_t free = bits::ones(n);
  for (std::uint32_t slot = 0; slot < n; ++slot) {
    const SlotContent content = content_of(slot);
    std::uint64_t fitting = 0;
    for (std::uint64_t some = free; some != 0 && fitting == 0; some &= some - 1) {
      if (detail::fits(adaptation, content, member_at(bits::countr_zero(some)))) {
        fitting = some & (~some + 1);
      }
    }
    if (fitting == 0) return Match::none;
    free &= ~fitting;
    if (!member_of.push(bits::countr_zero(fitting))) return Match::no_memory;
  }
  return Match::perfect;
}

// The same by classes. Out of line, so that the path of a short run stays short.
template <class A, class ContentOf, class MemberAt>
TELESCOPE_NOINLINE Match match_by_class(const A& adaptation, std::uint32_t n, const ContentOf& content_of,
                                        const MemberAt& member_at, Matching& member_of) noexcept {
  const auto content = [&](std::uint32_t slot) -> SlotContent { return content_of(slot); };
  const auto remainder = [&](std::uint32_t member, Letter letter) -> std::uint64_t {
    return adaptation.remainder(member_at(member), letter);
  };
  const auto fits = [&](std::uint32_t member, const SlotContent& slot) -> bool {
    return detail::fits(adaptation, slot, member_at(member));
  };
  return ClassMatching(n, content, remainder, fits, member_of.memory()).run(member_of);
}

// Matches n slots with n members, both numbered from 0, such that each member fits its slot. content_of(slot) is the
// SlotContent of a slot, member_at(i) the hash of a member. On success member_of[slot] is a permutation. For the cost
// of long runs see ClassMatching.
template <class A, class ContentOf, class MemberAt>
Match match_perfectly(const A& adaptation, std::uint64_t n, const ContentOf& content_of, const MemberAt& member_at,
                      Matching& member_of) noexcept {
  constexpr std::uint64_t kShort = 64;
  if (TELESCOPE_LIKELY(n <= kShort)) {
    const Match matched = match_greedily(adaptation, static_cast<std::uint32_t>(n), content_of, member_at, member_of);
    if (TELESCOPE_LIKELY(matched != Match::none)) return matched;
  }
  return match_by_class(adaptation, static_cast<std::uint32_t>(n), content_of, member_at, member_of);
}

}  // namespace telescope::inline v1::detail
