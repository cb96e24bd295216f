#include <cassert>

#include "../any/any_frame.hpp"
#include "format.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::inline v1 {

Outcome<SnapshotReader> SnapshotReader::open(const std::filesystem::path& path, const LoadOptions& options) noexcept {
  auto file = detail::InputFile::open(path);
  if (!file) return std::move(file).error();
  auto preamble = detail::Preamble::read(*file, {options.memory, options.huge_pages});
  if (!preamble) return std::move(preamble).error();
  return SnapshotReader(std::move(*file), std::move(*preamble), options);
}

Outcome<AnyFilter> SnapshotReader::load_any(const HashKey& key) const noexcept {
  const FilterKind kind = preamble_.header().shape.kind;
  const unsigned width = preamble_.header().shape.width;
  const auto expected = preamble_.expect(detail::shape_of(kind, width), key);
  if (!expected) return expected.error();
  return detail::restore<AnyFilter>(
      preamble_, options_,
      [&](const FilterOptions& options, auto& write) {
        const detail::BlockWriter writer{write, preamble_.header().size};
        return detail::AnyAccess::make(kind, width, options, &writer);
      },
      [this](std::span<std::byte> into) { return read_blocks(into); });
}

Outcome<void> SnapshotReader::read_blocks(std::span<std::byte> into) const noexcept {
  assert(into.size() == preamble_.header().blocks().length);
  auto status = detail::for_each_stride(
      preamble_.header(), [&](std::uint64_t first, std::uint64_t end, const detail::Section& all) -> Outcome<void> {
        const std::uint64_t from = preamble_.header().blocks().offset + all.offset;
        if (auto read = file_.read(from, into.subspan(all.offset, all.length)); !read) return read;
        for (std::uint64_t i = first; i < end; ++i) {
          if (!preamble_.chunk_is_intact(i, into.data())) return preamble_.corrupt_chunk(i);
        }
        return {};
      });
  if (!status) return status;
  if (!preamble_.padding_is_zero(into.data())) return preamble_.corrupt_blocks("the padding is not zero");
  return {};
}

Outcome<SnapshotInfo> read_snapshot_info(const std::filesystem::path& path) noexcept {
  const auto reader = SnapshotReader::open(path);
  if (!reader) return reader.error();
  return reader->info();
}

Outcome<HashKey> read_snapshot_secret(const std::filesystem::path& path) noexcept {
  const auto reader = SnapshotReader::open(path);
  if (!reader) return reader.error();
  return reader->stored_key();
}

Outcome<AnyFilter> load_any_snapshot(const std::filesystem::path& path, const HashKey& key,
                                     const LoadOptions& options) noexcept {
  const auto reader = SnapshotReader::open(path, options);
  if (!reader) return reader.error();
  return reader->load_any(key);
}

}  // namespace telescope::inline v1
