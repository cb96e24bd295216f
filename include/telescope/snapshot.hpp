// Snapshots: a filter in one file. docs/format.md describes the bytes.
//
//   save_snapshot(filter, path)                writes the file
//   load_snapshot<Taf<8>>(path, hash)          loads a filter of a known type into memory
//   load_any_snapshot(path, key)               loads a filter of whatever kind and width the file holds
//   map_snapshot<Taf<8>>(path, hash)           answers queries from the mapped file (mapped_filter.hpp)
//   read_snapshot_info(path)                   reads parameters and note
//   SnapshotReader                             the same steps, one by one, on a file that is opened once
//
// Laws:
//   A loaded filter equals the saved one, byte for byte.
//   Saving is atomic: after any failure or crash the path names the new file or the old one, complete.
//   A file that is truncated, damaged, foreign or of a later format, or that holds another filter or was saved under
//   another secret, is an error that names the file, what is wrong and the remedy; it never makes a filter that
//   answers "absent".
//   A forged file with valid checksums may load, but cannot cause an access out of bounds or a hang.
//
// These functions do not throw. Each may be called from any number of threads; a filter must not be written to while it
// is saved.
//
// Errors of everything that reads: io_failed (the system refuses), no_memory, foreign (not a snapshot), newer (a later
// format), corrupt (truncated, damaged or inconsistent). Of everything that makes a filter also: other_filter (another
// kind, width or code) and wrong_secret (another hash or secret).
#pragma once

#include <filesystem>

#include "telescope/any_filter.hpp"
#include "telescope/detail/snapshot/preamble.hpp"
#include "telescope/detail/snapshot/shape.hpp"
#include "telescope/detail/snapshot/writer.hpp"
#include "telescope/filter.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope {
inline namespace v1 {

template <class F>
class MappedFilter;

namespace detail {

// F is a frame or AnyFilter.
template <class F>
SnapshotSource source_of(const F& filter, const FilterShape& shape, std::uint64_t size, const HashKey& key) noexcept {
  const FilterOptions made = filter.options();
  const std::span<const std::byte> padded(filter.raw().data(), filter.raw().size() + SnapshotHeader::kPadding);
  return {shape, made.overflow, made.slots, size, key, padded, {made.memory, made.huge_pages}};
}

template <class F>
struct ShapeOf;
template <class A, class H>
struct ShapeOf<Filter<A, H>> {
  using Frame = detail::Frame<A>;
  static constexpr FilterShape value = shape_of(KindOf<A>::value, A::kWidth);
  static_assert(SnapshotHeader::block_bytes(value) == Frame::BlockLayout::kBytes);
  static_assert(SnapshotHeader::kPadding == Frame::kPadding);
};

// Returns what make(options, write) makes, a frame or an AnyFilter, if its blocks are consistent. `write` fills the
// blocks by read(span), whose failure is returned as it is.
template <class F, class Make, class Read>
Outcome<F> restore(const Preamble& preamble, const LoadOptions& options, Make make, Read read) noexcept {
  Outcome<void> done;
  auto write = [&](std::span<std::byte> into) -> Status {
    done = read(into);
    return done.ok() ? Status() : done.error().code;
  };
  const SnapshotHeader& header = preamble.header();
  auto made = make(FilterOptions{header.slots, header.overflow, options.memory, options.huge_pages}, write);
  if (!done) return std::move(done).error();
  if (!made) return failure_of(made.error());
  if (const char* const wrong = made->quick_check()) return preamble.corrupt_blocks(wrong);
  if (!options.thorough) return std::move(*made);
  try {
    if (const auto violation = made->check()) return preamble.corrupt_blocks(violation->what.c_str());
  } catch (...) {
    return failure_of(Error::no_memory);
  }
  return std::move(*made);
}

template <class F, class Read>
Outcome<F> restore_filter(const Preamble& preamble, const typename F::Hasher& hash, const LoadOptions& options,
                          Read read) noexcept {
  auto frame = restore<typename F::Frame>(
      preamble, options,
      [&](const FilterOptions& made, auto& write) {
        return F::Frame::from_writer(made, preamble.header().size, write);
      },
      read);
  if (!frame) return std::move(frame).error();
  return F(std::move(*frame), hash);
}

}  // namespace detail

// Writes the filter to the file `path`, which need not exist. `key` is the key of the hash whose values the filter
// holds. Fails with io_failed, no_memory, or bad_argument if the note is longer than kMaxNote. Takes the time to write
// the filter once; holds 8 bytes of memory for each 64 KB of the filter. Leaves a file PATH.*.tmp behind if the process
// ends meanwhile.
Outcome<void> save_snapshot(const AnyFilter& filter, const HashKey& key, const std::filesystem::path& path,
                            const SaveOptions& options = {}) noexcept;
template <class A, class H>
Outcome<void> save_snapshot(const Filter<A, H>& filter, const std::filesystem::path& path,
                            const SaveOptions& options = {}) noexcept {
  return detail::write_snapshot(
      path,
      detail::source_of(filter.frame(), detail::ShapeOf<Filter<A, H>>::value, filter.size(), key_of(filter.hash())),
      options);
}

// An open snapshot. What info() says, and what load() loads, comes from the same file, even if save_snapshot puts
// another one under its name meanwhile. Its const functions may be called from any number of threads.
class SnapshotReader {
 public:
  // Opens the file, and reads and verifies everything before the blocks: a few KB, and 8 bytes for each 64 KB of the
  // filter. The options hold for what is loaded later, too. Fails as above.
  static Outcome<SnapshotReader> open(const std::filesystem::path& path, const LoadOptions& options = {}) noexcept;

  // Returns the parameters of the filter, and the note. Fails with no_memory.
  Outcome<SnapshotInfo> info() const noexcept { return preamble_.info(); }

  // Returns the key that the filter was saved under. Fails with wrong_secret if the secret is not in the file; see
  // SaveOptions::include_secret.
  Outcome<HashKey> stored_key() const noexcept { return preamble_.stored_key(); }

  // Returns the filter, in memory. F is its type, e.g. Taf<8>; `hash` is what it was saved under. Reads and verifies
  // every byte.
  template <class F>
  Outcome<F> load(const typename F::Hasher& hash) const noexcept {
    const auto expected = preamble_.expect(detail::ShapeOf<F>::value, key_of(hash));
    if (!expected) return expected.error();
    return detail::restore_filter<F>(preamble_, hash, options_,
                                     [this](std::span<std::byte> into) { return read_blocks(into); });
  }
  // Returns the filter, of the kind and width that the file says.
  Outcome<AnyFilter> load_any(const HashKey& key) const noexcept;

 private:
  template <class F>
  friend class MappedFilter;

  SnapshotReader(detail::InputFile file, detail::Preamble preamble, const LoadOptions& options) noexcept
      : file_(std::move(file)), preamble_(std::move(preamble)), options_(options) {}

  // Fills `into` with the blocks and the padding. Each chunk is verified while it is in the cache.
  Outcome<void> read_blocks(std::span<std::byte> into) const noexcept;

  detail::InputFile file_;
  detail::Preamble preamble_;
  LoadOptions options_;
};

// Each opens the file and does what the function of SnapshotReader does.
Outcome<SnapshotInfo> read_snapshot_info(const std::filesystem::path& path) noexcept;
Outcome<HashKey> read_snapshot_secret(const std::filesystem::path& path) noexcept;
Outcome<AnyFilter> load_any_snapshot(const std::filesystem::path& path, const HashKey& key,
                                     const LoadOptions& options = {}) noexcept;
template <class F>
Outcome<F> load_snapshot(const std::filesystem::path& path, const typename F::Hasher& hash,
                         const LoadOptions& options = {}) noexcept {
  const auto reader = SnapshotReader::open(path, options);
  if (!reader) return reader.error();
  return reader->template load<F>(hash);
}

}  // namespace v1
}  // namespace telescope
