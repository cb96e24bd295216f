// The preamble of a snapshot: everything before the blocks. It says what the file must be loaded as, under which key,
// and holds the checksum of each chunk of blocks.
#pragma once

#include <span>
#include <string>

#include "telescope/detail/memory.hpp"
#include "telescope/detail/snapshot/file.hpp"
#include "telescope/detail/snapshot/header.hpp"

namespace telescope::inline v1::detail {

class Preamble {
 public:
  // Reads and verifies the preamble, which stays in `memory` for as long as this object lives.
  static Outcome<Preamble> read(const InputFile& file, const Memory& memory) noexcept;

  const SnapshotHeader& header() const noexcept { return header_; }
  // Fails with other_filter if the blocks are of another shape, with wrong_secret if they were saved under another key.
  Outcome<void> expect(const FilterShape& shape, const HashKey& key) const noexcept;
  // Returns hash and secret out of the file. Fails with wrong_secret if the secret is not in it.
  Outcome<HashKey> stored_key() const noexcept;
  Outcome<SnapshotInfo> info() const noexcept;

  // Returns whether the bytes of chunk i are those that were saved. `blocks` starts at the first block.
  bool chunk_is_intact(std::uint64_t i, const std::byte* blocks) const noexcept;
  // Returns whether the bytes behind the last block, which queries may read, are zeros.
  bool padding_is_zero(const std::byte* blocks) const noexcept;

  // The failure corrupt, with the file's name: chunk i is not intact; the blocks, all intact, are inconsistent.
  Failure corrupt_chunk(std::uint64_t i) const noexcept;
  Failure corrupt_blocks(const char* what) const noexcept;

 private:
  Preamble(const SnapshotHeader& header, ByteArray bytes, std::string path) noexcept
      : header_(header), bytes_(std::move(bytes)), path_(std::move(path)) {}

  std::span<const std::byte> section(const Section& where) const noexcept {
    return {bytes_.get() + where.offset, where.length};
  }
  Outcome<void> verify() const noexcept;

  SnapshotHeader header_;
  ByteArray bytes_;
  std::string path_;
};

// Returns the code with the words of message(code).
Failure failure_of(Error code) noexcept;

}  // namespace telescope::inline v1::detail
