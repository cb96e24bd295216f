// Plans a change of letters: which member is in which slot, and which remainders must be rewritten. Reads the filter
// and the member source; writes nothing. Frame then applies the plan, which cannot fail.
#pragma once

#include "telescope/detail/query/runs.hpp"
#include "telescope/detail/update/matching.hpp"
#include "telescope/members.hpp"

namespace telescope::inline v1::detail {

// Returns the smallest P whose quotient is `quotient` or more (Hash: quotient = high half of P x slots); 2^64 - 1 at
// the end.
inline std::uint64_t first_position(std::uint64_t quotient, std::uint64_t slots) noexcept {
  // A division of 128 bits takes a tenth of an adapt; a power of two needs none.
  if ((slots & (slots - 1)) == 0) return quotient << (64 - bits::countr_zero(slots));
  const bits::Uint128 scaled = static_cast<bits::Uint128>(quotient) << 64;
  return static_cast<std::uint64_t>((scaled + slots - 1) / slots);
}

inline QuotientRange quotient_range(std::uint64_t first, std::uint64_t end, std::uint64_t slots) noexcept {
  const std::uint64_t limit = end == slots ? 0 : first_position(end, slots);  // 0 stands for 2^64
  return {first, end, first_position(first, slots), limit - 1};
}

struct Rewrite {
  std::uint64_t slot;
  std::uint64_t remainder;
  Letter letter;
};
using Rewrites = Scratch<Rewrite, 32>;

using RunMembers = Scratch<Hash, 32>;

// Fetches the members of one quotient. If they are not as many as its run is long, filter and store disagree.
inline Status fetch_members(const MemberSource* source, std::uint64_t quotient, std::uint64_t slots,
                            std::uint64_t length, RunMembers& members) noexcept {
  if (source == nullptr) return Error::needs_members;
  bool memory = true, foreign = false;
  QuotientRange range = quotient_range(quotient, quotient + 1, slots);
  range.members = length;
  const Status fetched = (*source)(range, [&](const Hash& member) {
    foreign |= bits::multiply_high(member.position, slots) != quotient;
    memory = memory && (members.size() > length || members.push(member));
  });
  if (!fetched) return fetched;
  if (!memory) return Error::no_memory;
  return foreign || members.size() != length ? Error::disagree : Status{};
}

// The same as match_perfectly; if there is no perfect matching, the error is disagree.
template <class A, class ContentOf, class MemberAt>
Status match_members(const A& adaptation, std::uint64_t n, const ContentOf& content_of, const MemberAt& member_at,
                     Matching& member_of) noexcept {
  switch (match_perfectly(adaptation, n, content_of, member_at, member_of)) {
    case Match::perfect: return {};
    case Match::none: return Error::disagree;
    case Match::no_memory: return Error::no_memory;
  }
  return Error::disagree;
}

// The members of the runs that an operation has resolved, each with its slot. A run is matched once and then
// remembered: two different perfect matchings must never be mixed.
template <class B>
class SlotMembers {
 public:
  SlotMembers(const B& blocks, const MemberSource* source) noexcept
      : blocks_(blocks), source_(source), members_(blocks.memory().resource), runs_(blocks.memory().resource) {}

  // Fetches and matches the members of a quotient's run; content_of(slot) is what the slot holds now.
  template <class ContentOf>
  Status resolve_run(std::uint64_t quotient, const Run& run, const ContentOf& content_of) noexcept {
    RunMembers members(blocks_.memory().resource);
    const Status fetched = fetch_members(source_, quotient, blocks_.slots(), run.length(), members);
    if (!fetched) return fetched;
    Matching member_of(blocks_.memory().resource);
    const auto content_at = [&](std::uint32_t slot) -> SlotContent { return content_of(run.first + slot); };
    const auto member_at = [&](std::uint32_t member) -> const Hash& { return members[member]; };
    const Status matched = match_members(blocks_.adaptation(), run.length(), content_at, member_at, member_of);
    if (!matched) return matched;
    if (!runs_.push({run, members_.size()})) return Error::no_memory;
    for (const std::uint32_t member : member_of) {
      if (!members_.push(members[member])) return Error::no_memory;
    }
    return {};
  }

  // Returns the member of the slot, or null if its run has not been resolved.
  const Hash* member_at(std::uint64_t slot) const noexcept {
    for (const ResolvedRun& resolved : runs_) {
      if (slot - resolved.run.first < resolved.run.length()) {
        return &members_[resolved.first_member + (slot - resolved.run.first)];
      }
    }
    return nullptr;
  }

 private:
  struct ResolvedRun {
    Run run;
    std::size_t first_member;  // the member of its first slot, in members_
  };

  const B& blocks_;
  const MemberSource* source_;
  RunMembers members_;
  Scratch<ResolvedRun, 8> runs_;
};

}  // namespace telescope::inline v1::detail
