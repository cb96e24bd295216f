// Snapshots: a filter in one file. docs/format.md describes the bytes.
//
//   save_snapshot(filter, path)                writes the file
//   load_snapshot<Taf<8>>(path, hash)          loads a filter of a known type into memory
//   load_any_snapshot(path, key)               loads a filter of whatever kind and width the file holds
//   map_snapshot<Taf<8>>(path, hash)           answers queries, and reads what they need (mapped_filter.hpp)
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
// These functions do not throw. Any number of threads may call them at once; a filter must not be written to while it
// is saved.
//
// A function that reads a file fails with
//   io_failed      the operating system refused
//   foreign        the file is not a snapshot
//   newer          the format is of a later version
//   corrupt        the file is truncated, damaged or inconsistent
//   no_memory
// and one that makes a filter of it also with
//   other_filter   the file holds a filter of another kind, width or code
//   wrong_secret   the filter was saved under another hash or secret
#pragma once

#include <filesystem>

#include "telescope/any_filter.hpp"
#include "telescope/detail/snapshot/restore.hpp"
#include "telescope/detail/snapshot/writer.hpp"
#include "telescope/filter.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope::inline v1 {

template <class F>
class MappedFilter;

// Writes the filter to the file `path`, or puts the new file in the place of an old one. `key` is the key of the hash
// that the members were hashed with. Fails with io_failed, no_memory, or bad_argument if the note is longer than
// kMaxNote. Writes each byte of the filter once, and holds 8 bytes of memory for each 64 KB of it. A process that dies
// meanwhile leaves a file PATH.*.tmp behind, which nothing needs.
Outcome<void> save_snapshot(const AnyFilter& filter, const HashKey& key, const std::filesystem::path& path,
                            const SaveOptions& options = {}) noexcept;
template <class A, class H>
Outcome<void> save_snapshot(const Filter<A, H>& filter, const std::filesystem::path& path,
                            const SaveOptions& options = {}) noexcept {
  const FilterShape shape = detail::ShapeOf<typename Filter<A, H>::Frame>::value;
  return detail::write_snapshot(path, detail::source_of(filter.frame(), shape, key_of(filter.hash())), options);
}

// An open snapshot. What info() says and what load() loads come from the same file, even if save_snapshot puts another
// one in its place meanwhile. Any number of threads may call the const functions at once.
class SnapshotReader {
 public:
  // Opens the file, and reads and verifies everything before the blocks: a few KB, and 8 bytes for each 64 KB of the
  // filter. The options also hold for what is loaded later.
  static Outcome<SnapshotReader> open(const std::filesystem::path& path, const LoadOptions& options = {}) noexcept;

  // Returns the parameters of the filter, and the note. Fails with no_memory.
  Outcome<SnapshotInfo> info() const noexcept { return preamble_.info(); }

  // Returns the key that the filter was saved under. Fails with wrong_secret if the secret is not in the file; see
  // SaveOptions::include_secret.
  Outcome<HashKey> stored_key() const noexcept { return preamble_.stored_key(); }

  // Returns the filter, in memory. F is its type, e.g. Taf<8>; `hash` must be the hash that it was saved under. Reads
  // and verifies every byte.
  template <class F>
  Outcome<F> load(const typename F::Hasher& hash) const noexcept {
    const auto expected = preamble_.expect(detail::ShapeOf<typename F::Frame>::value, key_of(hash));
    if (!expected) return expected.error();
    return detail::restore_filter<F>(preamble_, hash, options_,
                                     [this](std::span<std::byte> into) { return read_blocks(into); });
  }
  // Returns the filter, of the kind and width that the file says. `key` must be the key that it was saved under.
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

// Each of these opens the file with a SnapshotReader, and returns info(), stored_key(), load_any() or load().
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

}  // namespace telescope::inline v1
