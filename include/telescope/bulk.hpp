// Loading builds a filter from all its members at once, in order of position. It is several times faster than inserting
// them one by one. See Filter::load, Filter::build and Filter::Loader.
#pragma once

#include <span>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1 {

// A stream of members in order of position. Each call returns the next of them, any number at a time, or none at the
// end, or an error, which becomes the error of the load. What a call returns must stay valid until the next call.
using HashStream = FunctionRef<Result<std::span<const Hash>>()>;

// Sorts members by position, as a loader needs them. `scratch` must be at least as large as `members`; both are
// overwritten. A radix sort on the upper bits, then an insertion sort: O(n) for hashes, which are spread evenly, and
// O(n log n) for any other positions.
void sort_by_position(std::span<Hash> members, std::span<Hash> scratch) noexcept;

}  // namespace telescope::inline v1
