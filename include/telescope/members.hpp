// MemberSource: how a filter learns which members it has. A filter stores remainders, not members, and does no I/O.
// To adapt, to erase, to change its size, or to empty a full code, it calls the source, which yields the hashes of the
// members in a range of quotients. telescope/member_map.hpp has one that keeps the members in memory.
#pragma once

#include <cstdint>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1 {

// A range of quotients, `end` excluded, and the same range as positions, `last_position` included. Order by position is
// order by quotient for every number of slots, so a store that is ordered by position scans one range.
struct QuotientRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t first_position = 0;
  std::uint64_t last_position = 0;
  std::uint64_t members = 0;  // that the filter has there: so many must come, or it fails with disagree
};

// What a source calls with each member.
using MemberSink = FunctionRef<void(const Hash&)>;

// A callable that yields members. Laws:
//   it calls the sink once for each member in the range, in any order; for a member that was inserted n times, n times;
//   it calls the sink for no other hash;
//   it does not call the filter.
// It returns an error if it cannot yield them all (source_failed, if nothing says more). The operation that has asked
// then fails with this error and changes nothing.
using MemberSource = FunctionRef<Status(const QuotientRange&, MemberSink)>;

}  // namespace telescope::inline v1
