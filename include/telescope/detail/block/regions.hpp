// Regions: stretches of blocks, each with a version for readers and a mutex for writers.
//
//   blocks     | 0 1 2 3 .. | 16 17 18 .. | 32 ..   a ring
//   versions   |     8      |      5      |  2      odd while a writer stores to what readers of the region may read
//   mutexes    |     m      |      m      |  m      held for a whole operation, its member source included
//
// This is a seqlock per region. A reader loads the version of its block's region before and after it reads; if it was
// even and is the same, nothing that it read was being written. A probe reads its block and the next one. A writer of
// block w increments the versions of blocks w-2, w-1 and w, which is one block more than needed; so a reader has to
// load one version only.
//
// Versions are side by side, so that they stay in the first-level cache whatever the size of the filter.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <mutex>
#include <new>

#include "telescope/detail/bits/race.hpp"
#include "telescope/detail/lock_order.hpp"
#include "telescope/detail/memory.hpp"

namespace telescope::inline v1::detail {

using Version = std::atomic<std::uint32_t>;
using RegionMutex = RankedMutex<LockRank::regions>;

class Regions {
 public:
  static constexpr std::uint64_t kReadBehind = 2;  // a probe reads its block and the next one; one is to spare

  // Makes at most `most` regions of at least `least_blocks` blocks; empty on failure, see operator bool.
  Regions(std::uint64_t blocks, std::uint64_t most, std::uint64_t least_blocks, const Memory& memory) noexcept
      : blocks_(blocks) {
    // The sanitizer stops a program that holds 64 mutexes at once.
    if (bits::kThreadSanitizer) most = std::min<std::uint64_t>(most, 32);
    while (regions_for(blocks, shift_) > std::max<std::uint64_t>(most, 1) ||
           std::uint64_t{1} << shift_ < least_blocks) {
      ++shift_;
    }
    count_ = regions_for(blocks, shift_);
    versions_ = Objects<Version>(count_, memory);
    mutexes_ = Objects<RegionMutex>(count_, memory);
  }

  explicit operator bool() const noexcept { return versions_ && mutexes_; }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t blocks() const noexcept { return blocks_; }
  std::uint64_t bytes() const noexcept { return count_ * (sizeof(Version) + sizeof(RegionMutex)); }

  // Returns the region of a block below blocks().
  std::uint64_t region_of_home(std::uint64_t block) const noexcept { return block >> shift_; }

  // The same without wrapping: blocks from blocks() on are the ring again, in regions from count() on.
  std::uint64_t region_of(std::uint64_t block) const noexcept {
    std::uint64_t laps = 0;
    for (; block >= blocks_; block -= blocks_) laps += count_;
    return laps + (block >> shift_);
  }

  // Return the version and the mutex of a region below count().
  Version& version(std::uint64_t region) const noexcept {
    assert(region < count_);
    return versions_[region];
  }
  RegionMutex& mutex(std::uint64_t region) const noexcept {
    assert(region < count_);
    return mutexes_[region];
  }

 private:
  static std::uint64_t regions_for(std::uint64_t blocks, unsigned shift) noexcept {
    return ((blocks - 1) >> shift) + 1;
  }

  std::uint64_t blocks_;
  std::uint64_t count_ = 0;
  unsigned shift_ = 0;
  Objects<Version> versions_;
  Objects<RegionMutex> mutexes_;
};

}  // namespace telescope::inline v1::detail
