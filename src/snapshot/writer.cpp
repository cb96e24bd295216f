#include "telescope/detail/snapshot/writer.hpp"

#include <algorithm>
#include <cassert>

#include "format.hpp"
#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/memory.hpp"
#include "telescope/detail/snapshot/file.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::inline v1 {
namespace detail {
namespace {

// Everything but the checksums.
SnapshotHeader header_of(const SnapshotSource& source, const SaveOptions& options) noexcept {
  SnapshotHeader header;
  header.shape = source.shape;
  header.overflow = source.made.overflow;
  header.hash = source.key.kind;
  header.slots = source.made.slots;
  header.size = source.size;
  header.key_check = key_check(source.key);
  header.has_secret = options.include_secret;
  header.note_bytes = options.note.size();
  return header;
}

}  // namespace

// The preamble comes last, since the checksums of the chunks are known when the blocks have been written.
Outcome<void> write_snapshot(const std::filesystem::path& path, const SnapshotSource& source,
                             const SaveOptions& options) noexcept {
  if (options.note.size() > kMaxNote) {
    return make_failure(Error::bad_argument, "a note of ", options.note.size(), " bytes: at most ", kMaxNote,
                        " are possible");
  }
  SnapshotHeader header = header_of(source, options);
  assert(source.blocks.size() == header.blocks().length);
  const ByteArray bytes = allocate_array(header.preamble_bytes(), {source.made.memory, source.made.huge_pages});
  if (!bytes) return failure_of(Error::no_memory);
  const std::span preamble(bytes.get(), header.preamble_bytes());
  std::ranges::fill(preamble, std::byte{0});
  auto file = AtomicFile::create(path, options.include_secret);
  if (!file) return std::move(file).error();

  auto written = for_each_stride(header, [&](std::uint64_t first, std::uint64_t end, const Section& all) {
    for (std::uint64_t i = first; i < end; ++i) {
      const Section chunk = header.chunk(i);
      bits::store64(preamble.data() + header.checksums().offset + 8 * i,
                    checksum(source.blocks.subspan(chunk.offset, chunk.length)));
    }
    return file->write(header.blocks().offset + all.offset, source.blocks.subspan(all.offset, all.length));
  });
  if (!written) return written;

  if (header.has_secret) {
    const auto secret = secret_bytes(source.key.secret);
    std::ranges::copy(secret, preamble.data() + header.secret().offset);
    header.secret_sum = checksum(secret);
  }
  std::ranges::copy(options.note, preamble.data() + header.note().offset);
  header.note_sum = checksum(options.note);
  header.checksums_sum = checksum(preamble.subspan(header.checksums().offset, header.checksums().length));
  std::ranges::copy(encode_header(header), preamble.begin());
  if (auto status = file->write(0, preamble); !status) return status;
  return file->commit(options.sync);
}

}  // namespace detail

Outcome<void> save_snapshot(const AnyFilter& filter, const HashKey& key, const std::filesystem::path& path,
                            const SaveOptions& options) noexcept {
  const FilterShape shape = detail::shape_of(filter.kind(), filter.width());
  return detail::write_snapshot(path, detail::source_of(filter, shape, key), options);
}

}  // namespace telescope::inline v1
