// Writing a snapshot, below the types of filters: blocks are bytes.
#pragma once

#include <filesystem>
#include <span>

#include "telescope/detail/memory.hpp"
#include "telescope/failure.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

struct SnapshotSource {
  FilterShape shape;
  Overflow overflow;
  std::uint64_t slots;
  std::uint64_t size;
  HashKey key;
  std::span<const std::byte> blocks;  // with the zeros behind them (SnapshotHeader::kPadding)
  Memory memory;                      // for the preamble, while it is put together
};

Outcome<void> write_snapshot(const std::filesystem::path& path, const SnapshotSource& source,
                             const SaveOptions& options) noexcept;

}  // namespace detail
}  // namespace v1
}  // namespace telescope
