// The gate of a concurrent filter: from an operation's first store to its last, the versions of all who may read what
// it writes are odd. Not while it plans, nor while its member source is at work: readers never wait for a store.
#pragma once

#include <optional>

#include "telescope/detail/concurrent/regions.hpp"
#include "telescope/detail/update/gate.hpp"
#include "telescope/function_ref.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// Without regions, which means that nobody else is at work, it is as good as open.
class VersionGate {
 public:
  explicit VersionGate(const Regions* regions) noexcept : regions_(regions) {}
  // `before_commit` is called between the plan and the first store, with the mutexes held.
  VersionGate(const Regions* regions, FunctionRef<Status()> before_commit) noexcept
      : regions_(regions), before_commit_(before_commit) {}

  Status ready() const noexcept { return before_commit_ ? (*before_commit_)() : Status{}; }

  // The mutexes of these regions are held, so nobody else moves their versions.
  class Writing {
   public:
    Writing() noexcept = default;
    Writing(const Regions& regions, std::uint64_t first, std::uint64_t end) noexcept
        : regions_(&regions), first_(first), end_(end) {
      for (std::uint64_t r = first_; r < end_; ++r) step(r, std::memory_order_relaxed);
      bits::release_fence();  // a reader who sees one of the stores behind it sees an odd version when it looks again
    }
    ~Writing() {
      for (std::uint64_t r = first_; r < end_; ++r) step(r, std::memory_order_release);
    }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    void step(std::uint64_t region, std::memory_order order) const noexcept {
      Version& version = regions_->version(region % regions_->count());
      version.store(version.load(std::memory_order_relaxed) + 1, order);
    }

    const Regions* regions_ = nullptr;
    std::uint64_t first_ = 0, end_ = 0;
  };

  Writing writing(std::uint64_t first, std::uint64_t last, std::span<const Rewrite> rewrites = {}) const noexcept {
    if (regions_ == nullptr) return {};
    const std::uint64_t count = regions_->blocks();
    std::uint64_t further = last - first;
    for (const Rewrite& rewrite : rewrites) {
      further = std::max(further, (rewrite.slot / 64 % count + count - first) % count);
    }
    const std::uint64_t before = first + count * Regions::kReadBehind - Regions::kReadBehind;  // count may be 1
    const std::uint64_t from = regions_->region_of(before);
    const std::uint64_t to = regions_->region_of(before + Regions::kReadBehind + further);
    return {*regions_, from, std::min(to + 1, from + regions_->count())};
  }

  static std::uint64_t count(const std::uint64_t& size) noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(size)).load(std::memory_order_relaxed);
  }
  void add(std::uint64_t& size, std::int64_t members) const noexcept {
    if (regions_ == nullptr) return OpenGate::add(size, members);
    std::atomic_ref(size).fetch_add(static_cast<std::uint64_t>(members), std::memory_order_relaxed);
  }

 private:
  const Regions* regions_;
  std::optional<FunctionRef<Status()>> before_commit_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
