// The mutexes that one operation holds: those of some regions in a row, which become more as the operation finds out
// how far it reaches.
//
// There is no deadlock: an operation waits only for a region above all that it holds. Where the ring closes, and
// downwards, it only tries to lock; if that fails it unlocks everything, and then locks all regions from the lowest on.
#pragma once

#include "telescope/detail/block/regions.hpp"

namespace telescope::inline v1::detail {

class RegionLocks {
 public:
  // Blocks are numbered without wrapping, from blocks() on, so that there are blocks before the first.
  RegionLocks(const Regions& regions, std::uint64_t first_block) noexcept
      : regions_(regions), low_(regions.region_of(first_block)), high_(low_) {
    lock_next();
  }
  // Locks all regions.
  explicit RegionLocks(const Regions& regions) noexcept : regions_(regions) { hold_all(); }
  ~RegionLocks() { release(); }
  RegionLocks(const RegionLocks&) = delete;
  RegionLocks& operator=(const RegionLocks&) = delete;

  // Returns whether all regions are locked.
  bool all() const noexcept { return high_ - low_ == regions_.count(); }

  // Locks further regions up to a block behind, or back to one before, those that are held.
  void extend_to(std::uint64_t block) noexcept {
    const std::uint64_t region = regions_.region_of(block);
    while (!all() && high_ <= region) lock_next();
    while (!all() && low_ > region) lock_before();
  }

  // Locks all regions. It unlocks those that are held first, so what was read before may have changed.
  void hold_all() noexcept {
    release();
    for (low_ = high_ = 0; high_ < regions_.count(); ++high_) regions_.mutex(high_).lock();
  }

 private:
  void lock_next() noexcept {
    if (lock(high_)) ++high_;
  }
  void lock_before() noexcept {
    if (lock(low_ - 1)) --low_;
  }

  // Returns false if it had to lock all.
  bool lock(std::uint64_t region) noexcept {
    if (above_all(region)) {
      regions_.mutex(region % regions_.count()).lock();
      return true;
    }
    if (regions_.mutex(region % regions_.count()).try_lock()) return true;
    hold_all();
    return false;
  }
  bool above_all(std::uint64_t region) const noexcept {
    if (low_ == high_) return true;
    const std::uint64_t count = regions_.count();
    const bool closes = low_ / count != (high_ - 1) / count;  // holds the last region and the first
    return !closes && region % count > (high_ - 1) % count;
  }
  void release() noexcept {
    for (; low_ < high_; ++low_) regions_.mutex(low_ % regions_.count()).unlock();
  }

  const Regions& regions_;
  std::uint64_t low_ = 0;  // holds regions [low_, high_), numbered without wrapping
  std::uint64_t high_ = 0;
};

}  // namespace telescope::inline v1::detail
