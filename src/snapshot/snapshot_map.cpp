#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "snapshot_older.hpp"
#include "snapshot_opened.hpp"
#include "telescope/detail/snapshot/mapping.hpp"
#include "telescope/detail/snapshot/reader.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

void Mapping::Unmap::operator()(const std::byte* p) const noexcept {
  (void)::munmap(const_cast<std::byte*>(p), length);
}

SnapshotResult<Mapping> Mapping::open(const std::filesystem::path& path, const Memory& memory) noexcept {
  const auto opened = open_snapshot(path);  // before anything is mapped: an empty file cannot be
  if (!opened) return opened.error();
  const SnapshotHeader& header = opened->header;
  const std::uint64_t length = header.file_bytes();
  void* const mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, opened->input.descriptor(), 0);
  if (mapped == MAP_FAILED) return io_error("map", opened->input.path(), errno);
  File file(static_cast<const std::byte*>(mapped), Unmap{length});
  const std::span all(file.get(), length);
  if (auto status = check_head(header, all.first(header.blocks().offset)); !status) {
    return std::move(status).error();
  }
  // A probe relies on them.
  if (!all_zero(all.last(SnapshotHeader::kPadding))) return not_sound("the bytes behind the last one are not zero");

  ByteArray findings = allocate_array(sizeof(Findings) + header.chunks(), {memory.resource, false});
  if (!findings) return from_error(Error::no_memory);
  std::memset(findings.get(), 0, sizeof(Findings) + header.chunks());
  new (findings.get()) Findings;
  return Mapping(header, std::move(file), std::move(findings));
}

SnapshotStatus Mapping::expect(const FilterShape& shape) const noexcept {
  if (is_older(header_.shape, shape)) {
    return snapshot_error(Error::other_filter, "written by an older version: load it and save it again to map it");
  }
  return expect_shape(header_, shape);
}
SnapshotStatus Mapping::expect(const HashKey& key) const noexcept { return expect_key(header_, key); }
SnapshotResult<HashKey> Mapping::stored_key() const noexcept { return detail::stored_key(header_, head()); }
SnapshotInfo Mapping::info() const { return info_of(header_, head()); }

// Threads may look at the same chunk at the same time: they see the same.
bool Mapping::look_at(std::uint64_t chunk) const noexcept {
  if (state(chunk).load(std::memory_order_relaxed) == std::byte{kBad}) return false;
  const Section where = header_.chunk(chunk);
  const std::uint64_t want = bits::load64(file_.get() + header_.checksums().offset + 8 * chunk);
  const bool good = checksum({blocks() + where.offset, where.length}) == want;
  if (!good) {
    std::uint64_t none = kNone;
    (void)findings().bad_chunk.compare_exchange_strong(none, chunk);
  }
  state(chunk).store(std::byte{good ? kGood : kBad}, std::memory_order_relaxed);
  return good;
}

SnapshotStatus Mapping::verify_chunks() const noexcept {
  for (std::uint64_t i = 0; i < header_.chunks(); ++i) {
    if (!look_at(i)) return chunk_differs(i);
  }
  return {};
}

SnapshotStatus Mapping::copy_blocks(std::span<std::byte> into) const noexcept {
  for (std::uint64_t i = 0; i < header_.chunks(); ++i) {
    if (!look_at(i)) return chunk_differs(i);
    const Section where = header_.chunk(i);
    std::memcpy(into.data() + where.offset, blocks() + where.offset, where.length);
  }
  return {};
}

SnapshotStatus Mapping::status() const noexcept {
  if (const std::uint64_t chunk = findings().bad_chunk.load(); chunk != kNone) return chunk_differs(chunk);
  if (const char* const wrong = findings().wrong.load(); wrong != nullptr) return not_sound(wrong);
  return {};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
