// What snapshots are described by, and how they fail.
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

namespace telescope {
inline namespace v1 {

using SnapshotError = Failure;
template <class T>
using SnapshotResult = Outcome<T>;
using SnapshotStatus = Outcome<void>;

// How the letters of a block are stored.
enum class CodeKind : std::uint8_t { none, raw, event, extension };

constexpr std::string_view to_string(CodeKind kind) noexcept {
  switch (kind) {
    case CodeKind::none: return "none";
    case CodeKind::raw: return "raw";
    case CodeKind::event: return "event";
    case CodeKind::extension: return "extension";
  }
  return "unknown";
}

// What the bytes of a block mean.
struct FilterShape {
  FilterKind kind = FilterKind::rsqf;
  std::uint8_t width = 8;
  CodeKind code = CodeKind::none;
  std::uint8_t x = 0, y = 0;  // parameters of the code
  friend bool operator==(const FilterShape&, const FilterShape&) = default;
};

// The longest note that a snapshot takes.
inline constexpr std::size_t kMaxNote = 1 << 16;

struct SaveOptions {
  // Whoever reads the file can then aim at the filter. The file gets permissions for its owner only.
  bool include_secret = false;
  // Opaque; readable without loading the filter. For the state of the store that the snapshot belongs to.
  std::span<const std::byte> note{};
  // Before the rename the bytes are on the disk, and after it the name. Without, a power failure may leave either file
  // or a corrupt one, which loading finds out.
  bool sync = true;
};

struct LoadOptions {
  std::pmr::memory_resource* memory = nullptr;  // as in FilterOptions
  bool huge_pages = true;
  // Checks every invariant, instead of those that keep operations in bounds. Takes many times as long as reading.
  bool thorough = false;
};

struct SnapshotInfo {
  std::uint32_t version = 0;  // of the format
  FilterShape shape;
  Overflow overflow = Overflow::evict;
  HashKind hash = HashKind::xxh3;
  bool has_secret = false;
  std::uint64_t slots = 0;
  std::uint64_t size = 0;
  std::uint64_t file_bytes = 0;
  std::vector<std::byte> note;
};

}  // namespace v1
}  // namespace telescope
