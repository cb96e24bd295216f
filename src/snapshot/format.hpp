// The bytes of a snapshot, and values made of them. Nothing here touches a file; every read is within what is given.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "telescope/detail/snapshot/header.hpp"

namespace telescope::inline v1::detail {

// Returns a failure whose words are the parts one after the other, or no words if there is no memory for them.
template <class... Parts>
Failure make_failure(Error code, const Parts&... parts) noexcept {
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

// `start` is the beginning of a file of `file_bytes` bytes: its first kBytes, or all of it. Fails with foreign, newer
// or corrupt. A header that decodes has sections within the file, and encodes to the same bytes.
Outcome<SnapshotHeader> decode_header(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept;
HeaderBytes encode_header(const SnapshotHeader& header) noexcept;

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;
bool all_zero(std::span<const std::byte> bytes) noexcept;
std::array<std::byte, SnapshotHeader::kSecretBytes> secret_bytes(const Secret& secret) noexcept;
std::array<std::byte, 16> key_check(const HashKey& key) noexcept;

// Calls visit(first chunk, end of the chunks, their bytes) for a few chunks at a time: few enough to be in the cache
// still when they are summed up after a read, or written after they were summed up. Ends at the first failure.
template <class Visit>
Outcome<void> for_each_stride(const SnapshotHeader& header, Visit visit) noexcept {
  constexpr std::uint64_t kChunksAtOnce = 4;
  const std::uint64_t chunks = header.chunks();
  for (std::uint64_t first = 0; first < chunks; first += kChunksAtOnce) {
    const std::uint64_t end = first + kChunksAtOnce < chunks ? first + kChunksAtOnce : chunks;
    const std::uint64_t from = header.chunk(first).offset;
    if (auto status = visit(first, end, Section{from, header.chunk(end - 1).end() - from}); !status) return status;
  }
  return {};
}

}  // namespace telescope::inline v1::detail
