// What describes a snapshot, and the options to save and load one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "telescope/failure.hpp"
#include "telescope/hash.hpp"
#include "telescope/kind.hpp"
#include "telescope/options.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1 {

// How the letters of a block are stored.
enum class CodeKind : std::uint8_t { none, raw, event, extension };

// Returns the name of the enumerator, or "unknown".
constexpr std::string_view to_string(CodeKind kind) noexcept {
  switch (kind) {
    case CodeKind::none: return "none";
    case CodeKind::raw: return "raw";
    case CodeKind::event: return "event";
    case CodeKind::extension: return "extension";
  }
  return "unknown";
}

// What the bytes of a block mean. Filters of the same shape can read each other's blocks.
struct FilterShape {
  FilterKind kind = FilterKind::rsqf;
  std::uint8_t width = 8;  // bits of a remainder
  CodeKind code = CodeKind::none;
  std::uint8_t x = 0, y = 0;  // parameters of the code; docs/format.md
  friend bool operator==(const FilterShape&, const FilterShape&) = default;
};

// The longest note that a snapshot takes, in bytes.
inline constexpr std::size_t kMaxNote = 1 << 16;

struct SaveOptions {
  // Puts the secret of the hash into the file, and gives the file permissions for its owner only: whoever reads the
  // secret can choose keys that are false positives. Without it, the file tells only whether a given secret is the
  // right one; keep the secret with the store.
  bool include_secret = false;
  // Bytes that the library does not interpret, and that can be read without the filter: say, the state of the store
  // that the snapshot belongs to.
  std::span<const std::byte> note{};
  // Waits until the bytes are on the disk before the file takes its name, and the name when save_snapshot returns.
  // Without it a power failure may leave the old file, the new one, or one that loading refuses as corrupt.
  bool sync = true;
};

struct LoadOptions {
  // Where the filter's bytes come from, and whether huge pages are asked for; see FilterOptions.
  std::pmr::memory_resource* memory = nullptr;
  bool huge_pages = true;
  // Checks every invariant of the filter, not only those that keep operations in bounds. Takes about ten times as long
  // as loading without it.
  bool thorough = false;
};

struct SnapshotInfo {
  std::uint32_t version = 0;  // of the format
  FilterShape shape;
  Overflow overflow = Overflow::evict;
  HashKind hash = HashKind::xxh3;
  bool has_secret = false;  // the secret is in the file
  std::uint64_t slots = 0;
  std::uint64_t size = 0;  // members
  std::uint64_t file_bytes = 0;
  std::vector<std::byte> note;
};

}  // namespace telescope::inline v1
