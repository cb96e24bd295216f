// How members reach a filter: a callable that yields the hashes of the members in a range of quotients.
// The filter itself does no I/O. It asks only to adapt, to erase, to change its size, or when a code overflows.
#pragma once

#include <cstdint>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"
#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {

// The quotients [first, end), and the same range as positions P, from first_position to last_position inclusive. A
// store that is ordered by P (which is the order of quotients, for every number of slots) scans these positions.
struct QuotientRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t first_position = 0;
  std::uint64_t last_position = 0;
};

using MemberSink = FunctionRef<void(const Hash&)>;

// Laws: calls the sink once for each member (with its multiplicity) whose quotient lies in the range, in any order, and
// for no other; does not touch the filter. An error other than source_failed is passed on as it is.
using MemberSource = FunctionRef<Status(const QuotientRange&, MemberSink)>;

}  // namespace v1
}  // namespace telescope
