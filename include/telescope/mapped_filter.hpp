// A filter that answers queries from a snapshot which is not read beforehand: the first query costs a chunk or two.
//
// Blocks come in chunks of 64 KB. Each is read and verified when a query first needs it, and stays in memory from then
// on. If a chunk cannot be read or its checksum differs, the answer is "maybe present", and status() says from then on
// what is wrong: doubt never means absent. So the file may be cut off, overwritten or removed meanwhile: what has been
// read stays as it was saved, and the rest is doubt. After verify(), which reads everything at once, queries are as
// fast as those of a filter in memory, and the file is needed no more.
//
// The chunks are memory of this process. The system could map the file instead, and share it among processes, but could
// promise none of that: a mapped page changes with its file, and ends the process (SIGBUS) once the file is shorter.
//
// A mapped filter is read-only, and any number of threads may use it.
#pragma once

#include "telescope/detail/snapshot/verified_blocks.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::inline v1 {

template <class A, class H>
class MappedFilter<Filter<A, H>> {
 public:
  using InMemory = Filter<A, H>;

  // Takes the file of the reader. `hash` must be what it was saved under. Verifies everything at once if the reader was
  // opened with LoadOptions::thorough. Fails as SnapshotReader::load does.
  static Outcome<MappedFilter> create(SnapshotReader reader, const H& hash) noexcept {
    const auto expected = reader.preamble_.expect(detail::ShapeOf<Frame>::value, key_of(hash));
    if (!expected) return expected.error();
    const LoadOptions& options = reader.options_;
    auto blocks = detail::LazyBlocks::open(std::move(reader.preamble_), std::move(reader.file_),
                                           {options.memory, options.huge_pages});
    if (!blocks) return std::move(blocks).error();
    MappedFilter filter(std::move(*blocks), hash);
    if (options.thorough) {
      if (auto status = filter.verify(); !status) return std::move(status).error();
    }
    return filter;
  }

  // Returns false if the key is surely absent. Returns true if it may be present, or the blocks that tell are in doubt.
  template <Key K>
  bool contains(const K& key) const noexcept {
    const Hash hash = filter_.hash_of(key);
    return TELESCOPE_LIKELY(blocks_.is_verified()) ? filter_.frame().contains(hash) : contains_unverified(hash);
  }
  // Sets out[i] to contains(keys[i]), 1 or 0. `out` must have room. Overlaps cache misses only after verify().
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Reads what has not been read, and verifies that the blocks are consistent. Fails with corrupt or io_failed.
  Outcome<void> verify() const noexcept {
    if (auto read = blocks_.read_all(); !read) return read;
    if (const char* const wrong = filter_.frame().quick_check()) {
      blocks_.mark_inconsistent(wrong);
    } else {
      blocks_.mark_verified();
    }
    return blocks_.status();
  }
  // Returns the failure, corrupt or io_failed, if a query or verify() has found something wrong so far.
  Outcome<void> status() const noexcept { return blocks_.status(); }

  // Returns a copy, which can be written to. Reads what has not been read. Fails with corrupt, io_failed or no_memory.
  Outcome<InMemory> to_memory(const LoadOptions& options = {}) const noexcept {
    const auto copy = [&](std::span<std::byte> into) {
      auto read = blocks_.read_all();
      if (read) std::memcpy(into.data(), blocks_.data(), into.size());
      return read;
    };
    return detail::restore_filter<InMemory>(blocks_.preamble(), filter_.hash(), options, copy);
  }

  std::uint64_t size() const noexcept { return filter_.size(); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  const H& hash() const noexcept { return filter_.hash(); }
  // Returns the parameters of the filter, and the note. Fails with no_memory.
  Outcome<SnapshotInfo> info() const noexcept { return blocks_.preamble().info(); }

 private:
  using Frame = typename InMemory::Frame;
  using Blocks = detail::VerifiedBlocks<A>;
  using Probe = detail::Probe<Blocks>;

  MappedFilter(detail::LazyBlocks blocks, H hash) noexcept
      : blocks_(std::move(blocks)), filter_(borrow(blocks_), std::move(hash)) {}

  static Frame borrow(const detail::LazyBlocks& blocks) noexcept {
    const detail::SnapshotHeader& header = blocks.header();
    FilterOptions options;
    options.slots = header.slots;
    options.overflow = header.overflow;
    return Frame::borrow(options, header.size, blocks.data());
  }

  // Verifies each block before it is read.
  TELESCOPE_NOINLINE bool contains_unverified(Hash hash) const noexcept {
    const Blocks blocks(blocks_);
    if (!blocks.verify_for_probe(detail::bits::multiply_high(hash.position, blocks.count()))) return true;
    const Probe probe(blocks);
    const bool found = detail::bits::has_fast()
                           ? probe.template contains<detail::bits::Fast, detail::PlainProbe>(hash)
                           : probe.template contains<detail::bits::Portable, detail::PlainProbe>(hash);
    if (!blocks.failed()) return found;
    // A crowded filter takes many steps too, and may be in order.
    if (blocks.step_limit_reached() && blocks_.status().ok() && verify().ok()) return filter_.frame().contains(hash);
    return true;
  }

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    if (blocks_.is_verified()) return filter_.contains(keys, out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }

  detail::LazyBlocks blocks_;
  InMemory filter_;  // over those bytes; used only once they are verified
};

// Opens the file, to be read as queries need it. F is a filter type, e.g. Taf<8>.
template <class F>
Outcome<MappedFilter<F>> map_snapshot(const std::filesystem::path& path, const typename F::Hasher& hash,
                                      const LoadOptions& options = {}) noexcept {
  auto reader = SnapshotReader::open(path, options);
  if (!reader) return std::move(reader).error();
  return MappedFilter<F>::create(std::move(*reader), hash);
}

}  // namespace telescope::inline v1
