// Building a filter from all its members at once: several times faster than inserting them.
#pragma once

#include <span>

#include "telescope/hash.hpp"

namespace telescope {
inline namespace v1 {

// Members in order of position, which is what a loader wants. Radix on the upper bits, then a pass that puts right what
// they left: hashes are spread evenly. `scratch` has room for as many; both are written.
void sort_by_position(std::span<Hash> members, std::span<Hash> scratch) noexcept;

}  // namespace v1
}  // namespace telescope
