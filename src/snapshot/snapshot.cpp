#include "telescope/snapshot.hpp"

#include <algorithm>
#include <cassert>
#include <new>

#include "snapshot_older.hpp"
#include "snapshot_opened.hpp"
#include "telescope/detail/bits/word.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {

// Chunks per call of the system: few enough to be in the cache still when they are summed up.
constexpr std::uint64_t kChunksAtOnce = 4;

// What goes before the blocks, but for the checksums and the header: they come last.
SnapshotHeader begin_head(const SnapshotSource& source, const SaveOptions& options) noexcept {
  SnapshotHeader header;
  header.shape = source.shape;
  header.overflow = source.overflow;
  header.hash = source.key.kind;
  header.slots = source.slots;
  header.size = source.size;
  header.key_check = key_check(source.key);
  header.has_secret = options.include_secret;
  header.note_bytes = options.note.size();
  return header;
}

void finish_head(SnapshotHeader& header, const SnapshotSource& source, const SaveOptions& options,
                 std::span<std::byte> head) noexcept {
  const auto section = [&](Section where) { return head.subspan(where.offset, where.length); };
  if (header.has_secret) {
    const auto secret = secret_bytes(source.key.secret);
    std::copy(secret.begin(), secret.end(), section(header.secret()).begin());
    header.secret_sum = checksum(secret);
  }
  if (header.note_bytes != 0) {
    std::copy(options.note.begin(), options.note.end(), section(header.note()).begin());
    header.note_sum = checksum(options.note);
  }
  header.checksums_sum = checksum(section(header.checksums()));
  const HeaderBytes bytes = encode_header(header);
  std::copy(bytes.begin(), bytes.end(), head.begin());
}

// Calls visit(first chunk, last chunk, their bytes), for a few chunks at a time.
template <class Visit>
SnapshotStatus in_strides(const SnapshotHeader& header, Visit visit) noexcept {
  const std::uint64_t chunks = header.chunks();
  for (std::uint64_t first = 0; first < chunks; first += kChunksAtOnce) {
    const std::uint64_t last = std::min(first + kChunksAtOnce, chunks) - 1;
    if (auto status = visit(first, last,
                            Section{header.chunk(first).offset, header.chunk(last).end() - header.chunk(first).offset});
        !status) {
      return status;
    }
  }
  return {};
}

}  // namespace

SnapshotStatus write_snapshot(const std::filesystem::path& path, const SnapshotSource& source,
                              const SaveOptions& options) noexcept {
  if (options.note.size() > kMaxNote) {
    return snapshot_error(Error::bad_argument, "a note of ", options.note.size(), " bytes, at most ", kMaxNote);
  }
  SnapshotHeader header = begin_head(source, options);
  assert(source.blocks.size() == header.blocks().length);
  const ByteArray bytes = allocate_array(header.blocks().offset, source.memory);
  if (!bytes) return from_error(Error::no_memory);
  const std::span head(bytes.get(), header.blocks().offset);
  std::fill(head.begin(), head.end(), std::byte{0});
  auto file = AtomicFile::create(path, options.include_secret);
  if (!file) return std::move(file).error();

  auto written = in_strides(header, [&](std::uint64_t first, std::uint64_t last, Section all) {
    for (std::uint64_t i = first; i <= last; ++i) {
      const Section chunk = header.chunk(i);
      bits::store64(head.data() + header.checksums().offset + 8 * i,
                    checksum(source.blocks.subspan(chunk.offset, chunk.length)));
    }
    return file->write(header.blocks().offset + all.offset, source.blocks.subspan(all.offset, all.length));
  });
  if (!written) return written;
  finish_head(header, source, options, head);
  if (auto status = file->write(0, head); !status) return status;
  return file->commit(options.sync);
}

struct SnapshotReader::File {
  InputFile input;
};

SnapshotReader::SnapshotReader(const SnapshotHeader& header, ByteArray head, std::unique_ptr<File> file) noexcept
    : header_(header), head_(std::move(head)), file_(std::move(file)) {}
SnapshotReader::SnapshotReader(SnapshotReader&&) noexcept = default;
SnapshotReader::~SnapshotReader() = default;

SnapshotResult<SnapshotReader> SnapshotReader::open(const std::filesystem::path& path, const Memory& memory) noexcept {
  auto opened = open_snapshot(path);
  if (!opened) return std::move(opened).error();
  auto& [input, start, header] = *opened;

  // No longer than the file, as decode_header has seen to.
  const std::uint64_t length = header.blocks().offset;
  ByteArray head = allocate_array(length, memory);
  if (!head) return from_error(Error::no_memory);
  if (auto status = input.read(0, {head.get(), length}); !status) return std::move(status).error();
  // Read twice: somebody may have written in between.
  if (!std::equal(start.begin(), start.end(), head.get())) {
    return snapshot_error(Error::corrupt, "the file changes while it is read");
  }
  if (auto status = check_head(header, {head.get(), length}); !status) return std::move(status).error();
  std::unique_ptr<File> file(new (std::nothrow) File{std::move(input)});
  if (!file) return from_error(Error::no_memory);
  return SnapshotReader(header, std::move(head), std::move(file));
}

SnapshotStatus SnapshotReader::expect(const FilterShape& shape) const noexcept {
  return is_older(header_.shape, shape) ? SnapshotStatus{} : expect_shape(header_, shape);
}
SnapshotStatus SnapshotReader::expect(const HashKey& key) const noexcept { return expect_key(header_, key); }
SnapshotResult<HashKey> SnapshotReader::stored_key() const noexcept { return detail::stored_key(header_, head()); }
SnapshotInfo SnapshotReader::info() const { return info_of(header_, head()); }

SnapshotStatus SnapshotReader::read_blocks(const FilterShape& shape, std::span<std::byte> into) const noexcept {
  assert(into.size() == header_.blocks().length);
  auto status = in_strides(header_, [&](std::uint64_t first, std::uint64_t last, Section all) -> SnapshotStatus {
    if (auto read = file_->input.read(header_.blocks().offset + all.offset, into.subspan(all.offset, all.length));
        !read) {
      return read;
    }
    for (std::uint64_t i = first; i <= last; ++i) {
      const Section chunk = header_.chunk(i);
      if (checksum(into.subspan(chunk.offset, chunk.length)) !=
          bits::load64(head_.get() + header_.checksums().offset + 8 * i)) {
        return chunk_differs(i);
      }
    }
    return {};
  });
  if (!status) return status;
  if (!all_zero(into.last(SnapshotHeader::kPadding))) return not_sound("the bytes behind the last one are not zero");
  if (is_older(header_.shape, shape)) return renew_blocks(into.first(into.size() - SnapshotHeader::kPadding));
  return {};
}

SnapshotError not_sound(const char* what) noexcept {
  return snapshot_error(Error::corrupt, "the blocks do not hold together: ", what);
}
SnapshotError from_error(Error error) noexcept { return snapshot_error(error, message(error)); }

}  // namespace detail

SnapshotResult<SnapshotInfo> read_snapshot_info(const std::filesystem::path& path) noexcept try {
  auto reader = detail::SnapshotReader::open(path, {});
  if (!reader) return std::move(reader).error();
  return reader->info();
} catch (...) {
  return detail::from_error(Error::no_memory);
}

SnapshotResult<HashKey> read_snapshot_secret(const std::filesystem::path& path) noexcept {
  auto reader = detail::SnapshotReader::open(path, {});
  if (!reader) return std::move(reader).error();
  return reader->stored_key();
}

SnapshotStatus save_snapshot(const AnyFilter& filter, const HashKey& key, const std::filesystem::path& path,
                             const SaveOptions& options) noexcept {
  const FilterOptions made = filter.options();
  const std::span padded(filter.raw().data(), filter.raw().size() + detail::SnapshotHeader::kPadding);
  return detail::write_snapshot(path,
                                {detail::shape_of(filter.kind(), filter.width()),
                                 made.overflow,
                                 made.slots,
                                 filter.size(),
                                 key,
                                 padded,
                                 {made.memory, made.huge_pages}},
                                options);
}

SnapshotResult<AnyFilter> load_any_snapshot(const std::filesystem::path& path, const HashKey& key,
                                            const LoadOptions& options) noexcept {
  auto reader = detail::SnapshotReader::open(path, {options.memory, options.huge_pages});
  if (!reader) return std::move(reader).error();
  const detail::SnapshotHeader& header = reader->header();
  const FilterShape shape = detail::shape_of(header.shape.kind, header.shape.width);
  if (auto status = reader->expect(shape); !status) return std::move(status).error();
  if (auto status = reader->expect(key); !status) return std::move(status).error();
  SnapshotStatus read;
  const auto write = [&](std::span<std::byte> into) -> Status {
    read = reader->read_blocks(shape, into);
    return read.ok() ? Status{} : read.error().code;
  };
  auto filter =
      AnyFilter::restore(header.shape.kind, header.shape.width,
                         {header.slots, header.overflow, options.memory, options.huge_pages}, {write, header.size});
  if (!read) return std::move(read).error();
  if (!filter) return detail::from_error(filter.error());
  if (auto status = detail::judge(*filter, options); !status) return std::move(status).error();
  return std::move(*filter);
}

}  // namespace v1
}  // namespace telescope
