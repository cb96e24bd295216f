// The filters: a thin typed shell over the frame. Keys in, hashes down.
//
//   Rsqf<R>   rank-and-select quotient filter: not adaptive         R + 2.125 bits per slot
//   Taf<R>    telescoping adaptive filter: hash selectors           R + 3
//   Exaf<R>   extension adaptive filter: a practical broom filter   R + 3
//   Utaf<R>   TAF with its selectors as they are, a byte per slot   R + 10.125
//
// R is the width of a remainder: a fresh negative is a false positive with probability load x 2^-R at most.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "telescope/bulk.hpp"
#include "telescope/detail/adapt/extensions.hpp"
#include "telescope/detail/adapt/none.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "telescope/detail/frame.hpp"
#include "telescope/hash.hpp"
#include "telescope/members.hpp"
#include "telescope/options.hpp"
#include "telescope/reports.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1 {

template <class F>
class ConcurrentFilter;  // concurrent.hpp
template <class F>
class Growing;  // growing.hpp

// A key is an unsigned integer or a string of bytes. An integer hashes as its 8 little-endian bytes.
template <class K>
concept Key = std::unsigned_integral<K> || std::convertible_to<const K&, std::string_view> ||
    std::convertible_to<const K&, std::span<const std::byte>>;

// Laws:
//   an inserted member is found until it is erased, whatever happens in between;
//   contains(k) == false means surely absent; true means: ask the store;
//   lookups are const, cache nothing and touch no store;
//   an operation that returns an error has changed no bit.
// A filter is a multiset: a key inserted twice is there twice. Operations take constant time on average, up to a load
// of .95. An operation that takes a member source fails with what the source fails with, with disagree if the source
// does not yield the members of the filter, and with no_memory. Any number of threads may read a filter while none
// writes; for both at once there is ConcurrentFilter.
template <class Adaptation, KeyHash H = Xxh3>
class Filter {
 public:
  using Frame = detail::Frame<Adaptation>;
  using Hasher = H;
  static constexpr unsigned kWidth = Frame::kWidth;
  static constexpr bool kAdapts = Adaptation::kStorage != detail::LetterStorage::none;

  // Returns an empty filter. Fails with bad_argument if the number of slots is not a multiple of 64 or is too large,
  // and with no_memory.
  static Result<Filter> create(const FilterOptions& options, H hash = H()) noexcept {
    auto frame = Frame::create(options);
    if (!frame) return frame.error();
    return Filter(std::move(*frame), std::move(hash));
  }
  // Returns a copy. Fails with no_memory.
  Result<Filter> clone() const noexcept {
    auto frame = frame_.clone();
    if (!frame) return frame.error();
    return Filter(std::move(*frame), hash_);
  }

  // Makes a filter of a frame and the hash with which its members were inserted.
  Filter(Frame frame, H hash) noexcept : frame_(std::move(frame)), hash_(std::move(hash)) {}

  class Loader;  // from members in order of position, one pass

  // Returns a filter of the members that a stream yields in order of position. Fails as Loader::add does, and with what
  // the stream fails with. Holds nothing but the filter.
  static Result<Filter> load(const FilterOptions& options, HashStream next, H hash = H()) noexcept;

  // Returns a filter of keys in any order. Fails with full if there are more keys than slots, and as create does. Holds
  // 32 bytes per key while it sorts them: O(keys).
  static Result<Filter> build(const FilterOptions& options, std::span<const std::uint64_t> keys,
                              H hash = H()) noexcept {
    return build_from(options, keys, std::move(hash));
  }
  static Result<Filter> build(const FilterOptions& options, std::span<const std::string_view> keys,
                              H hash = H()) noexcept {
    return build_from(options, keys, std::move(hash));
  }

  template <Key K>
  Hash hash_of(const K& key) const noexcept {
    return hash_key(hash_, key);
  }

  // Returns false if the key is surely absent, true if it may be present.
  template <Key K>
  bool contains(const K& key) const noexcept {
    return frame_.contains(hash_of(key));
  }

  // Sets out[i] to 1 if keys[i] may be present, else to 0. `out` must be as long as `keys`. Faster than one by one,
  // because cache misses overlap (docs/benchmarks.md).
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Inserts the key. Fails with full. Without a source it fails with needs_members where the code of a block overflows,
  // which is rare, and never happens before the first adapt.
  template <Key K>
  Result<InsertReport> insert(const K& key) noexcept {
    return frame_.insert(hash_of(key), nullptr);
  }
  template <Key K>
  Result<InsertReport> insert(const K& key, const MemberSource& source) noexcept {
    return frame_.insert(hash_of(key), &source);
  }

  // Inserts the keys in order, up to the first that fails. Takes no member source, because the source would have to
  // reflect the keys inserted so far: on needs_members, insert that key with a source and resume after it.
  BatchInsertReport insert(std::span<const std::uint64_t> keys) noexcept { return insert_batch(keys); }
  BatchInsertReport insert(std::span<const std::string_view> keys) noexcept { return insert_batch(keys); }

  // Makes the filter answer false for a key that is not in the store, and for which contains() returned true. Asks the
  // source for the members of one quotient. The report says how many slots adapted.
  template <Key K>
  Result<AdaptReport> adapt(const K& key, const MemberSource& source) noexcept {
    return frame_.adapt(hash_of(key), source);
  }

  // Erases one member with this key; the source must still yield it. Fails with not_found.
  template <Key K>
  Result<EraseReport> erase(const K& key, const MemberSource& source) noexcept {
    return frame_.erase(hash_of(key), source);
  }

  // Removes all members. O(slots).
  void clear() noexcept { frame_.clear(); }

  // Moves the members to any number of slots that holds them, all at once; `Growing` does it in steps. Asks the source
  // for all members, range by range in order of position. A member keeps its letter, so a false positive that was fixed
  // stays fixed; only members that are new to a quotient are fresh chances. Fails as create does, and with full.
  // O(slots).
  Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept {
    ResizeReport report;
    auto resized = frame_.resized(options, source, &report.overflow);
    if (!resized) return resized.error();
    frame_ = std::move(*resized);
    return report;
  }

  // Returns a filter of the members of both, each with its letter. Fails with bad_argument if they differ in their
  // number of slots or their secret, and with full. The source yields the members of both. It is asked only where
  // letters do not fit any more; without one, that is the error needs_members. O(slots).
  static Result<Filter> merge(const Filter& a, const Filter& b) noexcept { return merge_from(a, b, nullptr); }
  static Result<Filter> merge(const Filter& a, const Filter& b, const MemberSource& source) noexcept {
    return merge_from(a, b, &source);
  }

  // Returns the first broken invariant, if there is one; takes some 20 ns per slot.
  std::optional<Violation> check() const { return frame_.check(); }

  std::uint64_t size() const noexcept { return frame_.size(); }
  std::uint64_t slots() const noexcept { return frame_.slots(); }
  std::uint64_t bytes() const noexcept { return frame_.bytes(); }
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  double bits_per_slot() const noexcept {
    return 8.0 * static_cast<double>(frame_.raw().size()) / static_cast<double>(slots());
  }
  const H& hash() const noexcept { return hash_; }
  const Frame& frame() const noexcept { return frame_; }

 private:
  template <class F>
  friend class ConcurrentFilter;
  friend class Growing<Filter>;

  template <class K>
  static Hash hash_key(const H& hash, const K& key) noexcept {
    if constexpr (std::unsigned_integral<K>) {
      return hash(static_cast<std::uint64_t>(key));
    } else if constexpr (std::convertible_to<const K&, std::string_view>) {
      return hash(static_cast<std::string_view>(key));
    } else {
      return hash(static_cast<std::span<const std::byte>>(key));
    }
  }

  static Result<Filter> merge_from(const Filter& a, const Filter& b, const MemberSource* source) noexcept {
    if (a.hash_.secret() != b.hash_.secret()) return Error::bad_argument;
    auto frame = Frame::merged(a.frame_, b.frame_, source);
    if (!frame) return frame.error();
    return Filter(std::move(*frame), a.hash_);
  }

  template <class K>
  static Result<Filter> build_from(const FilterOptions& options, std::span<const K> keys, H hash) noexcept;

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    if constexpr (std::is_same_v<K, std::uint64_t> && std::is_same_v<H, Xxh3>) {
      frame_.contains_many(keys.size(), detail::Xxh3Keys(keys.data(), hash_), out.data());
    } else {
      const detail::KeyHashes<K, H> hashes(keys, hash_);
      frame_.contains_many(keys.size(), detail::AnyHashes(hashes), out.data());
    }
  }
  template <class K>
  BatchInsertReport insert_batch(std::span<const K> keys) noexcept {
    return frame_.insert_many(keys.size(), [&](std::size_t i) { return hash_(keys[i]); });
  }

  Frame frame_;
  H hash_;
};

// Adds members in order of position (sort_by_position), then becomes the filter.
template <class Adaptation, KeyHash H>
class Filter<Adaptation, H>::Loader {
 public:
  static Result<Loader> create(const FilterOptions& options, H hash = H()) noexcept {
    auto frame = Frame::create(options);
    if (!frame) return frame.error();
    return Loader(std::move(*frame), std::move(hash));
  }

  const H& hash() const noexcept { return hash_; }

  // Adds a member. Fails with unordered if it lies before the last one, fails with full as insert does.
  // `letter` is one that the member has had in a filter of any size: what it told apart stays told apart. Without a
  // source, a letter that does not fit where the ring closes fails with needs_members.
  Status add(const Hash& member, Letter letter = 0, const MemberSource* source = nullptr) noexcept {
    return loader_.add(member, letter, source);
  }

  // Returns the filter. Adds to `overflow`, if there is one, what happened to letters that did not fit.
  Filter finish(OverflowReport* overflow = nullptr) && noexcept {
    return Filter(std::move(loader_).finish(overflow), std::move(hash_));
  }

 private:
  Loader(Frame frame, H hash) noexcept : loader_(std::move(frame)), hash_(std::move(hash)) {}

  typename Frame::Loader loader_;
  H hash_;
};

template <class Adaptation, KeyHash H>
Result<Filter<Adaptation, H>> Filter<Adaptation, H>::load(const FilterOptions& options, HashStream next,
                                                          H hash) noexcept {
  auto loader = Loader::create(options, std::move(hash));
  if (!loader) return loader.error();
  for (;;) {
    const auto members = next();
    if (!members) return members.error();
    if (members->empty()) return std::move(*loader).finish();
    for (const Hash& member : *members) {
      if (const Status added = loader->add(member); !added) return added.error();
    }
  }
}

template <class Adaptation, KeyHash H>
template <class K>
Result<Filter<Adaptation, H>> Filter<Adaptation, H>::build_from(const FilterOptions& options, std::span<const K> keys,
                                                                H hash) noexcept {
  auto loader = Loader::create(options, std::move(hash));
  if (!loader) return loader.error();
  if (keys.size() > options.slots) return Error::full;
  const detail::Objects<Hash> both(2 * keys.size(), {options.memory, options.huge_pages});
  if (!both) return Error::no_memory;
  const std::span members = both.span().first(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) members[i] = loader->hash()(keys[i]);
  sort_by_position(members, both.span().last(keys.size()));
  for (const Hash& member : members) {
    if (const Status added = loader->add(member); !added) return added.error();
  }
  return std::move(*loader).finish();
}

template <unsigned R, KeyHash H = Xxh3>
using Rsqf = Filter<detail::None<R>, H>;
template <unsigned R, KeyHash H = Xxh3>
using Taf = Filter<detail::Selectors<R, detail::DefaultCode<R>>, H>;
template <unsigned R, KeyHash H = Xxh3>
using Utaf = Filter<detail::RawSelectors<R>, H>;
template <unsigned R, KeyHash H = Xxh3>
using Exaf = Filter<detail::Extensions<R, detail::ExtensionCode>, H>;

// The frames for remainders of 8 bits are compiled into the library.
namespace detail {

extern template class Frame<None<8>>;
extern template class Frame<Selectors<8, DefaultCode<8>>>;
extern template class Frame<RawSelectors<8>>;
extern template class Frame<Extensions<8, ExtensionCode>>;

extern template Result<InsertReport> Frame<None<8>>::insert_far<bits::Fast>(Hash, unsigned,
                                                                            const MemberSource*) noexcept;
extern template Result<InsertReport> Frame<Selectors<8, DefaultCode<8>>>::insert_far<bits::Fast>(
    Hash, unsigned, const MemberSource*) noexcept;
extern template Result<InsertReport> Frame<RawSelectors<8>>::insert_far<bits::Fast>(Hash, unsigned,
                                                                                    const MemberSource*) noexcept;
extern template Result<InsertReport> Frame<Extensions<8, ExtensionCode>>::insert_far<bits::Fast>(
    Hash, unsigned, const MemberSource*) noexcept;

#if defined(TELESCOPE_HAS_V4)
template <>
inline constexpr bool kHasBatchV4<Blocks<None<8>>> = true;
template <>
inline constexpr bool kHasBatchV4<Blocks<Selectors<8, DefaultCode<8>>>> = true;
template <>
inline constexpr bool kHasBatchV4<Blocks<Extensions<8, ExtensionCode>>> = true;
#endif

}  // namespace detail

}  // namespace telescope::inline v1
