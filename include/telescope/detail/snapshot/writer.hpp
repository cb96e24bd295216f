// Writing a snapshot, below the types of filters: blocks are bytes.
#pragma once

#include <filesystem>
#include <span>

#include "telescope/detail/snapshot/header.hpp"
#include "telescope/failure.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope::inline v1::detail {

struct SnapshotSource {
  FilterShape shape;
  FilterOptions made;  // slots, overflow policy, and the memory for the preamble
  std::uint64_t size;
  HashKey key;
  std::span<const std::byte> blocks;  // with the zeros behind them (SnapshotHeader::kPadding)
};

// Returns what is to be saved of a frame or an AnyFilter.
template <class F>
SnapshotSource source_of(const F& filter, const FilterShape& shape, const HashKey& key) noexcept {
  const std::span<const std::byte> blocks = filter.raw();
  return {shape, filter.options(), filter.size(), key, {blocks.data(), blocks.size() + SnapshotHeader::kPadding}};
}

// See save_snapshot.
Outcome<void> write_snapshot(const std::filesystem::path& path, const SnapshotSource& source,
                             const SaveOptions& options) noexcept;

}  // namespace telescope::inline v1::detail
