// A gate stands between an operation's plan and its commit: the frame passes it right before the first store, and says
// which blocks it is about to write. Where there is no table of regions nobody else is at work, the gate is open, and
// it costs nothing. Otherwise, from the operation's first store to its last, the versions of all who may read what it
// writes are odd: not while it plans, nor while its member source is at work. Readers never wait for a store.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "telescope/detail/block/regions.hpp"
#include "telescope/detail/update/edit.hpp"
#include "telescope/function_ref.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1::detail {

class Gate {
 public:
  constexpr Gate() noexcept = default;
  explicit Gate(const Regions* regions) noexcept : regions_(regions) {}
  // `before_commit` is called between the plan and the first store, with the mutexes of the regions held.
  Gate(const Regions* regions, FunctionRef<Status()> before_commit) noexcept
      : regions_(regions), before_commit_(before_commit) {}

  // Calls before_commit. Nothing else can fail any more; on an error the operation has not happened.
  Status ready() const noexcept { return before_commit_ ? (*before_commit_)() : Status{}; }

  // Regions [first, end), numbered without wrapping. Small enough to be returned in registers.
  struct Range {
    std::uint64_t first = 0, end = 0;
  };

  // Keeps the versions of some regions odd. Their mutexes are held, so no other thread changes the versions.
  class Writing {
   public:
    Writing() noexcept = default;
    Writing(const Regions* regions, Range range) noexcept : regions_(regions), range_(range) {
      step(regions, range, std::memory_order_relaxed);
      bits::release_fence();  // a reader who sees one of the stores behind it sees an odd version when it looks again
    }
    ~Writing() {
      if (regions_ != nullptr) step(regions_, range_, std::memory_order_release);
    }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    // Static, so that nobody has the address of the object: where the gate is open, the compiler then drops it.
    static void step(const Regions* regions, Range range, std::memory_order order) noexcept {
      for (std::uint64_t r = range.first; r < range.end; ++r) {
        Version& version = regions->version(r % regions->count());
        version.store(version.load(std::memory_order_relaxed) + 1, order);
      }
    }

    const Regions* regions_ = nullptr;
    Range range_;
  };

  // Returns a guard, while whose lifetime the caller writes to blocks [first, last], numbered without wrapping, and to
  // the slots of the rewrites, which lie at `first` or behind it in the ring.
  TELESCOPE_ALWAYS_INLINE Writing writing(std::uint64_t first, std::uint64_t last,
                                          std::span<const Rewrite> rewrites = {}) const noexcept {
    if (regions_ == nullptr) return {};
    return {regions_, range_of(first, last, rewrites)};
  }

  // Returns the number of members, which other writers may change meanwhile.
  static std::uint64_t count(const std::uint64_t& size) noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(size)).load(std::memory_order_relaxed);
  }
  TELESCOPE_ALWAYS_INLINE void add(std::uint64_t& size, std::int64_t members) const noexcept {
    if (regions_ == nullptr) {
      size += static_cast<std::uint64_t>(members);
    } else {
      std::atomic_ref(size).fetch_add(static_cast<std::uint64_t>(members), std::memory_order_relaxed);
    }
  }

 private:
  Range range_of(std::uint64_t first, std::uint64_t last, std::span<const Rewrite> rewrites) const noexcept {
    const std::uint64_t count = regions_->blocks();
    std::uint64_t further = last - first;
    for (const Rewrite& rewrite : rewrites) {
      further = std::max(further, (rewrite.slot / 64 % count + count - first) % count);
    }
    const std::uint64_t before = first + count * Regions::kReadBehind - Regions::kReadBehind;  // count may be 1
    const std::uint64_t from = regions_->region_of(before);
    const std::uint64_t to = regions_->region_of(before + Regions::kReadBehind + further);
    return {from, std::min(to + 1, from + regions_->count())};
  }

  const Regions* regions_ = nullptr;
  std::optional<FunctionRef<Status()>> before_commit_;
};
inline constinit const Gate kOpenGate;

}  // namespace telescope::inline v1::detail
