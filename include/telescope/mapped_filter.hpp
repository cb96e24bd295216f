// A snapshot that answers where it lies: mapped, not read. The first query costs a page or two.
//
// Blocks are verified in chunks, when a query first touches them. Where a checksum differs the answer is "maybe
// present", and status() says what is wrong from then on: doubt never means absent. verify() looks at everything at
// once; after it, queries are as fast as those of a filter in memory.
//
// Read only, for any number of threads. The file must not be written to or truncated while it is mapped: the system
// ends a process that reads a mapped page which is gone (SIGBUS). save_snapshot never does that: it renames a new file
// over the name, and the mapped one lives on until it is unmapped.
#pragma once

#include "telescope/detail/snapshot/wary_blocks.hpp"
#include "telescope/snapshot.hpp"

namespace telescope {
inline namespace v1 {

template <class F>
class MappedFilter;

template <class A, class H>
class MappedFilter<Filter<A, H>> {
 public:
  using InMemory = Filter<A, H>;

  // Null hash: the secret is in the file.
  static SnapshotResult<MappedFilter> map(const std::filesystem::path& path, const H* hash,
                                          const LoadOptions& options) noexcept {
    auto mapping = detail::Mapping::open(path, {options.memory, options.huge_pages});
    if (!mapping) return std::move(mapping).error();
    if (auto status = mapping->expect(detail::ShapeOf<A>::value); !status) return std::move(status).error();
    HashKey key;
    if (hash != nullptr) {
      key = key_of(*hash);
    } else {
      auto stored = mapping->stored_key();
      if (!stored) return std::move(stored).error();
      key = {H::kKind, stored->secret};
    }
    if (auto status = mapping->expect(key); !status) return std::move(status).error();
    MappedFilter filter(std::move(*mapping), hash != nullptr ? *hash : H(key.secret));
    if (options.thorough) {
      if (auto status = filter.verify(); !status) return std::move(status).error();
    }
    return filter;
  }

  template <Key K>
  bool contains(const K& key) const noexcept {
    const Hash hash = filter_.hash_of(key);
    return TELESCOPE_LIKELY(mapping_.trusted()) ? filter_.frame().contains(hash) : contains_warily(hash);
  }
  // Batch: out[i] = 1 if keys[i] may be present. Worth it after verify().
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Every byte of the file, and that the blocks hold together.
  SnapshotStatus verify() const noexcept {
    if (auto status = mapping_.verify_chunks(); !status) return status;
    if (const char* const wrong = filter_.frame().quick_check()) {
      mapping_.condemn(wrong);
    } else {
      mapping_.trust();
    }
    return mapping_.status();
  }
  // What queries have come across so far.
  SnapshotStatus status() const noexcept { return mapping_.status(); }

  // A filter that can be written to.
  SnapshotResult<InMemory> to_memory(const LoadOptions& options = {}) const noexcept {
    return detail::Snapshots<InMemory>::finish(mapping_.header(), filter_.hash(), options,
                                               [&](std::span<std::byte> into) { return mapping_.copy_blocks(into); });
  }

  std::uint64_t size() const noexcept { return filter_.size(); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  const H& hash() const noexcept { return filter_.hash(); }
  SnapshotInfo info() const { return mapping_.info(); }

 private:
  using Frame = typename InMemory::Frame;
  using L = typename Frame::BlockLayout;
  using Blocks = detail::WaryBlocks<L, A::kWidth>;
  using Probe = detail::Probe<A, L, Blocks>;

  MappedFilter(detail::Mapping mapping, H hash) noexcept
      : mapping_(std::move(mapping)), filter_(borrow(mapping_), std::move(hash)) {}

  static Frame borrow(const detail::Mapping& mapping) noexcept {
    const detail::SnapshotHeader& header = mapping.header();
    FilterOptions options;
    options.slots = header.slots;
    options.overflow = header.overflow;
    return Frame::borrow(options, header.size, mapping.blocks());
  }

  TELESCOPE_NOINLINE bool contains_warily(Hash hash) const noexcept {
    const Blocks blocks(mapping_);
    if (!blocks.near(detail::bits::multiply_high(hash.position, blocks.count()))) return true;
    detail::CountNothing nothing;
    const Probe probe(blocks);
    const bool found = detail::bits::has_fast() ? probe.template contains<detail::bits::Fast>(hash, nothing)
                                                : probe.template contains<detail::bits::Portable>(hash, nothing);
    if (!blocks.in_doubt()) return found;
    // The blocks may be in order, only crowded.
    if (blocks.tired() && !mapping_.failed() && verify().ok()) return filter_.frame().contains(hash);
    return true;
  }

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    if (mapping_.trusted()) return filter_.contains(keys, out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }

  detail::Mapping mapping_;
  InMemory filter_;  // over the mapped bytes; used only once they are trusted
};

// F is a filter type, e.g. Taf<8>. LoadOptions::thorough: verify() at once.
template <class F>
SnapshotResult<MappedFilter<F>> map_snapshot(const std::filesystem::path& path,
                                             const std::remove_cvref_t<decltype(std::declval<F>().hash())>& hash,
                                             const LoadOptions& options = {}) noexcept {
  return MappedFilter<F>::map(path, &hash, options);
}
template <class F>
SnapshotResult<MappedFilter<F>> map_snapshot(const std::filesystem::path& path,
                                             const LoadOptions& options = {}) noexcept {
  return MappedFilter<F>::map(path, nullptr, options);
}

}  // namespace v1
}  // namespace telescope
