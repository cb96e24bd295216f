// Reading and writing snapshots, below the types of filters: headers, keys and blocks as bytes.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "telescope/detail/memory.hpp"
#include "telescope/detail/snapshot/header.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// What is saved, but for the options.
struct SnapshotSource {
  FilterShape shape;
  Overflow overflow;
  std::uint64_t slots;
  std::uint64_t size;
  HashKey key;
  std::span<const std::byte> blocks;  // with the zeros behind them (Blocks::kPadding)
  Memory memory;                      // for what is held meanwhile
};
SnapshotStatus write_snapshot(const std::filesystem::path& path, const SnapshotSource& source,
                              const SaveOptions& options) noexcept;

// An open snapshot: header, secret, note and checksums are verified, the blocks not yet read.
class SnapshotReader {
 public:
  // `memory` is where the head goes, for as long as the reader lives.
  static SnapshotResult<SnapshotReader> open(const std::filesystem::path& path, const Memory& memory) noexcept;
  SnapshotReader(SnapshotReader&&) noexcept;
  ~SnapshotReader();

  const SnapshotHeader& header() const noexcept { return header_; }
  // This shape, or one that read_blocks can turn into it.
  SnapshotStatus expect(const FilterShape& shape) const noexcept;
  SnapshotStatus expect(const HashKey& key) const noexcept;
  SnapshotResult<HashKey> stored_key() const noexcept;
  SnapshotInfo info() const;

  // The blocks, of the shape that was expected, and the padding: header().blocks().length bytes, each chunk verified
  // while it is in the cache.
  SnapshotStatus read_blocks(const FilterShape& shape, std::span<std::byte> into) const noexcept;

 private:
  struct File;
  SnapshotReader(const SnapshotHeader& header, ByteArray head, std::unique_ptr<File> file) noexcept;
  std::span<const std::byte> head() const noexcept { return {head_.get(), header_.blocks().offset}; }

  SnapshotHeader header_;
  ByteArray head_;
  std::unique_ptr<File> file_;
};

// Loading what does not hold together.
SnapshotError not_sound(const char* what) noexcept;
SnapshotError from_error(Error error) noexcept;

}  // namespace detail
}  // namespace v1
}  // namespace telescope
