// ConcurrentFilter: a filter that any number of threads read and write at once.
//
//   ConcurrentFilter<Taf<8>> filter = std::move(*ConcurrentFilter<Taf<8>>::create({.slots = 1 << 20}));
//
// The laws and the errors are those of Filter. All const functions, insert, adapt and erase may be called by any number
// of threads, and each operation is linearisable: it takes effect at one moment between its call and its return.
//
//   Readers take no mutex. They retry while a writer stores to the blocks that they read, which is a moment; they do
//   not wait while a writer plans or its member source reads a store. (Above a load of about 99 % a query may have to
//   look far back; it then locks the regions on its way.)
//
//   Writers lock the regions of blocks that they read and write. Writers in different regions do not meet.
//
// A member source is called with the writer's regions locked. It must not call the filter. The sources of different
// threads may run at the same time, for different quotients.
//
// Filter and store must agree whenever a writer asks for members. So the store must change while the regions are
// locked: insert and erase take a callable that changes it. It is called when nothing else can fail, and before the
// first bit moves. If it returns an error, the operation returns the same error, and the filter is unchanged. The
// callable must not call the filter.
#pragma once

#include <utility>

#include "telescope/detail/concurrent/concurrent_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope::inline v1 {

// How finely a concurrent filter is divided into regions. More regions mean fewer collisions of writers and more
// versions that readers must have in cache; a region costs 44 bytes. The defaults suit any number of threads.
struct RegionOptions {
  std::uint64_t most = 1024;        // the largest number of regions
  std::uint64_t least_blocks = 16;  // the smallest number of blocks (of 64 slots) in a region
};

template <class F>
class ConcurrentFilter {
  using Shared = detail::ConcurrentFrame<typename F::Frame::Adaptation>;

 public:
  using Plain = F;
  using KeyHash = typename F::Hasher;
  static constexpr unsigned kWidth = F::kWidth;
  static constexpr bool kAdapts = F::kAdapts;

  // A callable that changes the store, before other writers come near the quotient.
  using BeforeCommit = FunctionRef<Status()>;
  static constexpr auto kNothing = [] { return Status{}; };

  // Returns an empty filter. Fails as Filter::create does.
  static Result<ConcurrentFilter> create(const FilterOptions& options, KeyHash hash = KeyHash(),
                                         const RegionOptions& regions = {}) noexcept {
    auto filter = F::create(options, std::move(hash));
    if (!filter) return filter.error();
    return share(std::move(*filter), regions);
  }
  // Turns a plain filter into a concurrent one. Fails with no_memory. O(regions).
  static Result<ConcurrentFilter> share(F filter, const RegionOptions& options = {}) noexcept {
    const FilterOptions made = filter.frame().options();
    detail::Regions regions(made.slots / detail::kBlockSlots, options.most, options.least_blocks,
                            {made.memory, made.huge_pages});
    if (!regions) return Error::no_memory;
    return ConcurrentFilter(std::move(filter), std::move(regions));
  }
  // Turns it back into a plain filter. No other thread may be using it.
  F unshare() && noexcept { return std::move(filter_); }

  template <Key K>
  Hash hash_of(const K& key) const noexcept {
    return filter_.hash_of(key);
  }

  // Returns false if the key is surely absent, true if it may be present.
  template <Key K>
  bool contains(const K& key) const noexcept {
    return Shared::contains(filter_.frame_, regions_, hash_of(key));
  }
  // Sets out[i] to 1 if keys[i] may be present, else to 0. Each answer is linearisable, the batch as a whole is not.
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Inserts the key; without a source this may fail with needs_members (see Filter).
  template <Key K>
  Result<InsertReport> insert(const K& key) noexcept {
    return Shared::insert(filter_.frame_, regions_, hash_of(key), nullptr, kNothing);
  }
  template <Key K>
  Result<InsertReport> insert(const K& key, const MemberSource& source,
                              BeforeCommit before_commit = kNothing) noexcept {
    return Shared::insert(filter_.frame_, regions_, hash_of(key), &source, before_commit);
  }

  // Inserts the keys one by one, up to the first that fails, without a source (see Filter). Other writers may come in
  // between any two.
  BatchInsertReport insert(std::span<const std::uint64_t> keys) noexcept { return insert_batch(keys); }
  BatchInsertReport insert(std::span<const std::string_view> keys) noexcept { return insert_batch(keys); }

  template <Key K>
  Result<AdaptReport> adapt(const K& key, const MemberSource& source) noexcept {
    return Shared::adapt(filter_.frame_, regions_, hash_of(key), source);
  }

  template <Key K>
  Result<EraseReport> erase(const K& key, const MemberSource& source, BeforeCommit before_commit = kNothing) noexcept {
    return Shared::erase(filter_.frame_, regions_, hash_of(key), source, before_commit);
  }

  // Locks out all writers and calls `look` with the plain filter: to save it, or to see all of it at one moment.
  // Readers go on. Returns what `look` returns, which must not call the concurrent filter.
  template <class Callable>
  decltype(auto) with_locked(Callable&& look) const {
    const detail::RegionLocks locks(regions_);
    return std::forward<Callable>(look)(filter_);
  }
  Result<F> clone() const noexcept {
    return with_locked([](const F& filter) { return filter.clone(); });
  }
  std::optional<Violation> check() const {
    return with_locked([](const F& filter) { return filter.check(); });
  }

  // Returns the number of members at some moment during the call.
  std::uint64_t size() const noexcept { return Shared::size(filter_.frame_); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  std::uint64_t bytes() const noexcept { return filter_.bytes() + regions_.bytes(); }
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  const KeyHash& hash() const noexcept { return filter_.hash(); }
  std::uint64_t regions() const noexcept { return regions_.count(); }

 private:
  ConcurrentFilter(F filter, detail::Regions regions) noexcept
      : filter_(std::move(filter)), regions_(std::move(regions)) {}

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    const detail::KeyHashes<K, KeyHash> hashes(keys, filter_.hash_);
    Shared::contains_many(filter_.frame_, regions_, keys.size(), detail::AnyHashes(hashes), out.data());
  }

  template <class K>
  BatchInsertReport insert_batch(std::span<const K> keys) noexcept {
    return Shared::insert_many(filter_.frame_, regions_, keys.size(),
                               [&](std::size_t i) { return filter_.hash_(keys[i]); });
  }

  F filter_;
  detail::Regions regions_;
};

}  // namespace telescope::inline v1
