// Snapshots: a filter in one file. docs/format.md has the bytes.
//
//   save_snapshot(filter, path)                  atomic: the new file or the old one, whatever happens
//   load_snapshot<Taf<8>>(path, hash)            into memory; every byte is verified
//   load_any_snapshot(path, key)                 likewise, kind and width from the file
//   read_snapshot_info(path)                     parameters and note, without the blocks
//   map_snapshot<Taf<8>>(path, hash)             mapped_filter.hpp: queries without reading the file first
//
// Laws: a loaded filter is the saved one, byte for byte. A file that is truncated, damaged, foreign, of a later format,
// of another filter or secret is an error that names what is wrong; never a filter that answers "absent". A file that
// somebody made to look right may load, and does no harm. No exception leaves.
//
// The secret of the hash stays out of the file unless asked for: the file then says only whether a secret is the right
// one. Keep it with the store.
#pragma once

#include <filesystem>

#include "telescope/any_filter.hpp"
#include "telescope/detail/snapshot/reader.hpp"
#include "telescope/detail/snapshot/shape.hpp"
#include "telescope/filter.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope {
inline namespace v1 {

SnapshotResult<SnapshotInfo> read_snapshot_info(const std::filesystem::path& path) noexcept;

// Error wrong_secret if it is not in the file.
SnapshotResult<HashKey> read_snapshot_secret(const std::filesystem::path& path) noexcept;

SnapshotStatus save_snapshot(const AnyFilter& filter, const HashKey& key, const std::filesystem::path& path,
                             const SaveOptions& options = {}) noexcept;
SnapshotResult<AnyFilter> load_any_snapshot(const std::filesystem::path& path, const HashKey& key,
                                            const LoadOptions& options = {}) noexcept;

template <class A, class H>
SnapshotStatus save_snapshot(const Filter<A, H>& filter, const std::filesystem::path& path,
                             const SaveOptions& options = {}) noexcept {
  const auto& frame = filter.frame();
  const FilterOptions made = frame.options();
  const std::span padded(frame.raw().data(), frame.raw().size() + filter.frame().kPadding);
  return detail::write_snapshot(path,
                                {detail::ShapeOf<A>::value,
                                 made.overflow,
                                 made.slots,
                                 filter.size(),
                                 key_of(filter.hash()),
                                 padded,
                                 {made.memory, made.huge_pages}},
                                options);
}

namespace detail {

// Whether blocks with the right checksums hold together. F is a frame or AnyFilter.
template <class F>
SnapshotStatus judge(const F& filter, const LoadOptions& options) noexcept {
  if (const char* const wrong = filter.quick_check()) return not_sound(wrong);
  if (!options.thorough) return {};
  try {
    if (const auto violation = filter.check()) return not_sound(violation->what.c_str());
  } catch (...) {
    return from_error(Error::no_memory);
  }
  return {};
}

template <class F>
struct Snapshots;

template <class A, class H>
struct Snapshots<Filter<A, H>> {
  using Frame = typename Filter<A, H>::Frame;
  static constexpr FilterShape kShape = ShapeOf<A>::value;

  // The rest of loading: read_blocks(span) fills the blocks.
  template <class ReadBlocks>
  static SnapshotResult<Filter<A, H>> finish(const SnapshotHeader& header, H hash, const LoadOptions& options,
                                             ReadBlocks read_blocks) noexcept {
    static_assert(Frame::kPadding == SnapshotHeader::kPadding);
    SnapshotStatus read;
    auto frame = Frame::from_writer({header.slots, header.overflow, options.memory, options.huge_pages}, header.size,
                                    [&](std::span<std::byte> into) -> Status {
                                      read = read_blocks(into);
                                      return read.ok() ? Status{} : read.error().code;
                                    });
    if (!read) return std::move(read).error();
    if (!frame) return from_error(frame.error());
    if (auto status = judge(*frame, options); !status) return std::move(status).error();
    return Filter<A, H>(std::move(*frame), std::move(hash));
  }

  static SnapshotResult<Filter<A, H>> load(const std::filesystem::path& path, const H* hash,
                                           const LoadOptions& options) noexcept {
    auto reader = SnapshotReader::open(path, {options.memory, options.huge_pages});
    if (!reader) return std::move(reader).error();
    if (auto status = reader->expect(kShape); !status) return std::move(status).error();
    const auto read_blocks = [&](std::span<std::byte> into) { return reader->read_blocks(kShape, into); };
    if (hash != nullptr) {
      if (auto status = reader->expect(key_of(*hash)); !status) return std::move(status).error();
      return finish(reader->header(), *hash, options, read_blocks);
    }
    auto key = reader->stored_key();
    if (!key) return std::move(key).error();
    const H stored(key->secret);
    if (auto status = reader->expect(key_of(stored)); !status) return std::move(status).error();
    return finish(reader->header(), stored, options, read_blocks);
  }
};

}  // namespace detail

// F is a filter type, e.g. Taf<8>. The hash must be the one that the filter was saved under.
template <class F>
SnapshotResult<F> load_snapshot(const std::filesystem::path& path,
                                const std::remove_cvref_t<decltype(std::declval<F>().hash())>& hash,
                                const LoadOptions& options = {}) noexcept {
  return detail::Snapshots<F>::load(path, &hash, options);
}

// With the secret out of the file.
template <class F>
SnapshotResult<F> load_snapshot(const std::filesystem::path& path, const LoadOptions& options = {}) noexcept {
  return detail::Snapshots<F>::load(path, nullptr, options);
}

}  // namespace v1
}  // namespace telescope
