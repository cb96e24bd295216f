// Bytes of a snapshot to values and back. No files here; everything that is read is bounded by what is there.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "telescope/detail/snapshot/header.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// An error in words. Without the words, if there is no memory for them.
template <class... Parts>
SnapshotError snapshot_error(Error code, const Parts&... parts) noexcept {
  try {
    std::string what;
    const auto add = [&](const auto& part) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(part)>>) {
        what += std::to_string(part);
      } else {
        what += part;
      }
    };
    (add(parts), ...);
    return {code, std::move(what)};
  } catch (...) {
    return {code, {}};
  }
}

using HeaderBytes = std::array<std::byte, SnapshotHeader::kBytes>;

// `start` is the beginning of a file of `file_bytes` bytes: its first kBytes, or all of it.
SnapshotResult<SnapshotHeader> decode_header(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept;
HeaderBytes encode_header(const SnapshotHeader& header) noexcept;

// Everything in front of the blocks, header and all: checksums of the sections, and zeros between them.
SnapshotStatus check_head(const SnapshotHeader& header, std::span<const std::byte> head) noexcept;

SnapshotStatus expect_shape(const SnapshotHeader& header, const FilterShape& shape) noexcept;
SnapshotStatus expect_key(const SnapshotHeader& header, const HashKey& key) noexcept;
// Error wrong_secret if the file does not have it.
SnapshotResult<HashKey> stored_key(const SnapshotHeader& header, std::span<const std::byte> head) noexcept;

// The byte of a hash in the header. 2 was a hash that no snapshot has any more.
std::byte hash_byte(HashKind kind) noexcept;
std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;
std::array<std::byte, 16> key_check(const HashKey& key) noexcept;
std::array<std::byte, SnapshotHeader::kSecretBytes> secret_bytes(const Secret& secret) noexcept;

SnapshotError chunk_differs(std::uint64_t chunk) noexcept;
bool all_zero(std::span<const std::byte> bytes) noexcept;
SnapshotInfo info_of(const SnapshotHeader& header, std::span<const std::byte> head);

}  // namespace detail
}  // namespace v1
}  // namespace telescope
