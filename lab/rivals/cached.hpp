// Any rival with a cache of false positives before it: what adapting is worth, a cache of as many bits must beat.
//
// A negative answer of the cache is safe: it holds no member, since an insert takes its key out of the cache.
#pragma once

#include "rivals/rival.hpp"
#include "rivals/top_k.hpp"

namespace telescope::lab {

inline constexpr double kCacheBitsPerSlot = 0.875;  // what the telescoping filter's codes take

template <class Filter>
class Cached {
 public:
  static constexpr std::string_view kName = "cached";
  static constexpr bool kAdapts = true;

  Cached(std::uint64_t slots, const Xxh3& hash) requires Rival<Filter> : Cached(Filter(slots, hash), slots) {}
  Cached(Filter filter, std::uint64_t slots)
      : filter_(std::move(filter)),
        cache_(static_cast<std::uint64_t>(kCacheBitsPerSlot * static_cast<double>(slots))) {}

  bool contains(std::uint64_t key) const { return filter_.contains(key) && !cache_.contains(key); }

  // Answers as contains does, and the cache takes note.
  bool query(std::uint64_t key) {
    if (!filter_.contains(key)) return false;
    if (!cache_.contains(key)) return true;
    cache_.hit(key);
    return false;
  }

  bool insert(std::uint64_t key) {
    if (!filter_.insert(key)) return false;
    cache_.forget(key);
    return true;
  }

  // Adapts cache and filter; what the filter needs for that comes behind the key.
  template <class... With>
  void adapt(std::uint64_t key, const With&... with) {
    cache_.admit(key);
    if constexpr (Filter::kAdapts) filter_.adapt(key, with...);
  }

  std::uint64_t bits() const { return filter_.bits() + cache_.bits(); }
  const Filter& filter() const { return filter_; }

 private:
  Filter filter_;
  TopK cache_;
};

}  // namespace telescope::lab
