// Snapshots with letters in a code that this library reads, but no longer writes.
#pragma once

#include <cstddef>
#include <span>

#include "telescope/detail/snapshot/header.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// Whether blocks of shape `has` can be turned into those of shape `shape`: TAF with remainders of 8 bits marked a code
// from letter 8 on, and does so from letter 4 on.
bool is_older(const FilterShape& has, const FilterShape& shape) noexcept;

// Marks the codes that need it, in place. Fails where a code has no room for the mark.
SnapshotStatus renew_blocks(std::span<std::byte> blocks) noexcept;

}  // namespace detail
}  // namespace v1
}  // namespace telescope
