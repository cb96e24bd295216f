// Building a filter from all its members at once: several times faster than inserting them.
#pragma once

#include <span>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"
#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {

// Yields the next members, in order of position, as many at a time as it likes; none is the end. What it yields must
// last until it is called again.
using HashStream = FunctionRef<Result<std::span<const Hash>>()>;

// Members in order of position, which is what a loader wants. Radix on the upper bits, then a pass that puts right what
// they left: hashes are spread evenly. `scratch` has room for as many; both are written.
void sort_by_position(std::span<Hash> members, std::span<Hash> scratch) noexcept;

}  // namespace v1
}  // namespace telescope
