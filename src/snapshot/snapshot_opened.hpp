// A file whose beginning is the header of a snapshot: what reading and mapping both start from.
#pragma once

#include <algorithm>
#include <utility>

#include "snapshot_file.hpp"
#include "snapshot_format.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

struct OpenedSnapshot {
  InputFile input;
  HeaderBytes start;  // as it was when the header was decoded
  SnapshotHeader header;
};

inline SnapshotResult<OpenedSnapshot> open_snapshot(const std::filesystem::path& path) noexcept {
  auto input = InputFile::open(path);
  if (!input) return std::move(input).error();
  HeaderBytes start;
  const std::span known(start.data(), std::min<std::uint64_t>(input->bytes(), start.size()));
  if (auto status = input->read(0, known); !status) return std::move(status).error();
  auto header = decode_header(known, input->bytes());
  if (!header) return std::move(header).error();
  return OpenedSnapshot{std::move(*input), start, *header};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
