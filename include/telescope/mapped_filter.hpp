// A filter that answers queries from a mapped snapshot, which is not read beforehand: the first query costs a page or
// two.
//
// Blocks are verified in chunks of 64 KB, each when a query first reads it. If a checksum differs, the answer is "maybe
// present", and status() says from then on what is wrong: doubt never means absent. After verify(), which verifies
// everything at once, queries are as fast as those of a filter in memory.
//
// A mapped filter is read-only, and any number of threads may use it.
//
// The file must not be written to or truncated while it is mapped, and no system lets a library see to that: a process
// that reads a mapped page which is gone is ended (SIGBUS), and what changes in a chunk that has been verified changes
// answers, to "absent" too. save_snapshot never does either: it renames a new file over the name, and the mapped one
// lives on until it is unmapped. Where others may write to the file, load it (SnapshotReader::load, load_snapshot):
// what has been loaded has been verified, and is read from the file no more.
#pragma once

#include "telescope/detail/snapshot/verified_blocks.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::inline v1 {

template <class A, class H>
class MappedFilter<Filter<A, H>> {
 public:
  using InMemory = Filter<A, H>;

  // Maps the file of the reader. `hash` must be what it was saved under. Verifies everything at once if the reader was
  // opened with LoadOptions::thorough. Fails as SnapshotReader::load does.
  static Outcome<MappedFilter> create(SnapshotReader reader, const H& hash) noexcept {
    const auto expected = reader.preamble_.expect(detail::ShapeOf<Frame>::value, key_of(hash));
    if (!expected) return expected.error();
    const LoadOptions& options = reader.options_;
    auto mapping =
        detail::Mapping::open(std::move(reader.preamble_), reader.file_, {options.memory, options.huge_pages});
    if (!mapping) return std::move(mapping).error();
    MappedFilter filter(std::move(*mapping), hash);
    if (options.thorough) {
      if (auto status = filter.verify(); !status) return std::move(status).error();
    }
    return filter;
  }

  // Returns false if the key is surely absent. Returns true if it may be present, or the blocks that tell are corrupt.
  template <Key K>
  bool contains(const K& key) const noexcept {
    const Hash hash = filter_.hash_of(key);
    return TELESCOPE_LIKELY(mapping_.is_verified()) ? filter_.frame().contains(hash) : contains_unverified(hash);
  }
  // Sets out[i] to contains(keys[i]), 1 or 0. `out` must have room. Overlaps cache misses only after verify().
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Verifies every byte of the file, and that the blocks are consistent. Fails with corrupt. Reads the whole file.
  Outcome<void> verify() const noexcept {
    if (auto status = mapping_.verify_chunks(); !status) return status;
    if (const char* const wrong = filter_.frame().quick_check()) {
      mapping_.mark_corrupt(wrong);
    } else {
      mapping_.mark_verified();
    }
    return mapping_.status();
  }
  // Returns the failure corrupt if a query or verify() has found something wrong so far.
  Outcome<void> status() const noexcept { return mapping_.status(); }

  // Returns a copy in memory, which can be written to. Verifies every byte. Fails with corrupt or no_memory.
  Outcome<InMemory> to_memory(const LoadOptions& options = {}) const noexcept {
    return detail::restore_filter<InMemory>(mapping_.preamble(), filter_.hash(), options,
                                            [&](std::span<std::byte> into) { return mapping_.copy_blocks(into); });
  }

  std::uint64_t size() const noexcept { return filter_.size(); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  const H& hash() const noexcept { return filter_.hash(); }
  // Returns the parameters of the filter, and the note. Fails with no_memory.
  Outcome<SnapshotInfo> info() const noexcept { return mapping_.preamble().info(); }

 private:
  using Frame = typename InMemory::Frame;
  using Blocks = detail::VerifiedBlocks<A>;
  using Probe = detail::Probe<Blocks>;

  MappedFilter(detail::Mapping mapping, H hash) noexcept
      : mapping_(std::move(mapping)), filter_(borrow(mapping_), std::move(hash)) {}

  static Frame borrow(const detail::Mapping& mapping) noexcept {
    const detail::SnapshotHeader& header = mapping.header();
    FilterOptions options;
    options.slots = header.slots;
    options.overflow = header.overflow;
    return Frame::borrow(options, header.size, mapping.blocks());
  }

  // Verifies each block before it is read.
  TELESCOPE_NOINLINE bool contains_unverified(Hash hash) const noexcept {
    const Blocks blocks(mapping_);
    if (!blocks.verify_for_probe(detail::bits::multiply_high(hash.position, blocks.count()))) return true;
    const Probe probe(blocks);
    const bool found = detail::bits::has_fast()
                           ? probe.template contains<detail::bits::Fast, detail::PlainProbe>(hash)
                           : probe.template contains<detail::bits::Portable, detail::PlainProbe>(hash);
    if (!blocks.failed()) return found;
    // A crowded filter takes many steps too, and may be in order.
    if (blocks.step_limit_reached() && !mapping_.is_corrupt() && verify().ok()) return filter_.frame().contains(hash);
    return true;
  }

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    if (mapping_.is_verified()) return filter_.contains(keys, out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }

  detail::Mapping mapping_;
  InMemory filter_;  // over the mapped bytes; used only once they are verified
};

// Opens the file and maps it. F is a filter type, e.g. Taf<8>.
template <class F>
Outcome<MappedFilter<F>> map_snapshot(const std::filesystem::path& path, const typename F::Hasher& hash,
                                      const LoadOptions& options = {}) noexcept {
  auto reader = SnapshotReader::open(path, options);
  if (!reader) return std::move(reader).error();
  return MappedFilter<F>::create(std::move(*reader), hash);
}

}  // namespace telescope::inline v1
