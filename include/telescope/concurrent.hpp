// A filter with any number of readers and writers at once.
//
//   ConcurrentFilter<Taf<8>> filter = std::move(*ConcurrentFilter<Taf<8>>::create({.slots = 1 << 20}));
//
// The laws are those of Filter, and each operation takes effect at one moment between its call and its return.
//   Readers do not wait for each other nor, but for the moment in which it writes, for a writer: not while a writer
//   plans, and not while its member source asks a store. (Above a load of about 99 % a query may have to look far
//   back, and then waits for the writers on its way.)
//   Writers lock the regions of blocks that they read and write. Those that are far apart do not meet.
//
// A member source is called with those regions locked. It must not call the filter. Sources of different threads may be
// at work at the same time, for different quotients.
//
// Filter and store must agree whenever a writer asks. So the store is to change while the regions are locked: insert
// and erase take a callable that does it, called when nothing else can fail and before the first bit moves. If it
// returns an error, that is the operation's, and the filter stays as it is. It must not call the filter either.
#pragma once

#include <utility>

#include "telescope/detail/concurrent/concurrent_frame.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {

// How finely a concurrent filter is divided. The defaults are good for any number of threads that machines have today;
// a region costs 44 bytes.
struct RegionOptions {
  std::uint64_t most = 1024;        // regions, however large the filter
  std::uint64_t least_blocks = 16;  // of 64 slots, in each
};

template <class F>
class ConcurrentFilter {
  using Shared = detail::ConcurrentFrame<typename F::Frame::Adaptation>;

 public:
  using Plain = F;
  using KeyHash = typename F::Hasher;
  static constexpr unsigned kWidth = F::kWidth;
  static constexpr bool kAdapts = F::kAdapts;

  // What makes the store follow, before other writers come near.
  using Then = FunctionRef<Status()>;
  static constexpr auto kNothing = [] { return Status{}; };

  static Result<ConcurrentFilter> create(const FilterOptions& options, KeyHash hash = KeyHash(),
                                         const RegionOptions& regions = {}) noexcept {
    auto filter = F::create(options, std::move(hash));
    if (!filter) return filter.error();
    return share(std::move(*filter), regions);
  }
  // From a plain filter that nobody uses meanwhile, and back to one.
  static Result<ConcurrentFilter> share(F filter, const RegionOptions& options = {}) noexcept {
    const FilterOptions made = filter.frame().options();
    detail::Regions regions(made.slots / detail::kBlockSlots, options.most, options.least_blocks,
                            {made.memory, made.huge_pages});
    if (!regions) return Error::no_memory;
    return ConcurrentFilter(std::move(filter), std::move(regions));
  }
  F unshare() && noexcept { return std::move(filter_); }

  template <Key K>
  Hash hash_of(const K& key) const noexcept {
    return filter_.hash_of(key);
  }

  template <Key K>
  bool contains(const K& key) const noexcept {
    return Shared::contains(filter_.frame_, regions_, hash_of(key));
  }
  // Batch: out[i] = 1 if keys[i] may be present. Each answer for itself is that of one moment during the call.
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  template <Key K>
  Result<InsertReport> insert(const K& key) noexcept {
    return Shared::insert(filter_.frame_, regions_, hash_of(key), nullptr, kNothing);
  }
  template <Key K>
  Result<InsertReport> insert(const K& key, const MemberSource& source, Then then = kNothing) noexcept {
    return Shared::insert(filter_.frame_, regions_, hash_of(key), &source, then);
  }

  // Batch: in order, up to the first that fails, without a source; see Filter. Not one operation but many.
  BatchInsertReport insert(std::span<const std::uint64_t> keys) noexcept { return insert_batch(keys); }
  BatchInsertReport insert(std::span<const std::string_view> keys) noexcept { return insert_batch(keys); }

  template <Key K>
  Result<AdaptReport> adapt(const K& key, const MemberSource& source) noexcept {
    return Shared::adapt(filter_.frame_, regions_, hash_of(key), source);
  }

  template <Key K>
  Result<EraseReport> erase(const K& key, const MemberSource& source, Then then = kNothing) noexcept {
    return Shared::erase(filter_.frame_, regions_, hash_of(key), source, then);
  }

  // Stops all writers, and hands out the filter as it is: to clone or save it, or to look at all of it at once. The
  // callable must not call the concurrent filter.
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

  // While writers are at work, a number that was right a moment ago.
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
    Shared::contains_many(
        filter_.frame_, regions_, keys.size(), [&](std::size_t i) { return filter_.hash_(keys[i]); }, out.data());
  }

  template <class K>
  BatchInsertReport insert_batch(std::span<const K> keys) noexcept {
    return Shared::insert_many(filter_.frame_, regions_, keys.size(),
                               [&](std::size_t i) { return filter_.hash_(keys[i]); });
  }

  F filter_;
  detail::Regions regions_;
};

}  // namespace v1
}  // namespace telescope
