// The vacuum filter (Wang, Zhou et al. 2019): a cuckoo filter whose second bucket lies near the first.
//
// The table is cut into ranges of L buckets, L a power of two, and both buckets of a tag lie in one range. Small L
// means one page, or one cache line, instead of two; but each range must not get more than it can hold. Most tags can
// have a small L if some have a large one, which evens the ranges out: a fourth of the tags each has its own L (section
// "Multi-range alternate function" of that paper). The table need not have a power of two of buckets, only a multiple
// of the ranges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "rivals/bucket_filter.hpp"
#include "rivals/cuckoo.hpp"

namespace telescope::lab {

class Ranges {
 public:
  static constexpr std::string_view kName = "vacuum";
  static constexpr unsigned kGroups = 4;  // of tags

  explicit Ranges(std::uint64_t buckets) : whole_(rounded(buckets)) {
    for (unsigned group = 0; group < kGroups; ++group) {
      const std::uint64_t range = range_for(buckets, 1 - static_cast<double>(group) / kGroups);
      masks_[group] = whole_.buckets() % range == 0 ? range - 1 : kWhole;
    }
  }

  std::uint64_t buckets() const noexcept { return whole_.buckets(); }

  std::uint64_t operator()(std::uint64_t bucket, std::uint64_t tag) const noexcept {
    const std::uint64_t mask = masks_[tag % kGroups];
    if (mask == kWhole) return whole_(bucket, tag);
    const std::uint64_t step = (tag * 0xd6e8feb86659fd93u >> 32) & mask;
    return bucket ^ (step + (step == 0));  // at least one bucket away
  }

 private:
  static constexpr std::uint64_t kWhole = ~std::uint64_t{0};
  static constexpr double kLoad = 0.95, kHolds = 0.97;  // to be filled to; what a range of buckets can hold

  // The smallest range that holds its part of this share of the tags: the fullest of c ranges gets about
  // mean + 2 sqrt(2 mean ln c), to be on the safe side. The other tags have larger ranges and give way.
  static std::uint64_t range_for(std::uint64_t buckets, double share) noexcept {
    constexpr double kTags = 4;
    std::uint64_t range = 8;
    for (; range < buckets; range *= 2) {
      const double room = kTags * static_cast<double>(range);
      const double mean = kLoad * share * room;
      const double ranges = static_cast<double>(buckets) / static_cast<double>(range);
      if (mean + 2 * std::sqrt(2 * mean * std::log(ranges)) < kHolds * room) break;
    }
    return range;
  }

  // Up to a multiple of the largest range where that costs at most a 64th. Otherwise (small tables) the ranges that do
  // not divide the table are the whole table.
  static std::uint64_t rounded(std::uint64_t buckets) noexcept {
    for (unsigned group = 0; group < kGroups; ++group) {
      const std::uint64_t range = range_for(buckets, 1 - static_cast<double>(group) / kGroups);
      const std::uint64_t up = (buckets + range - 1) / range * range;
      if (up - buckets <= buckets / 64) return up;
    }
    return buckets;
  }

  WholeTable whole_;
  std::array<std::uint64_t, kGroups> masks_{};
};

using Vacuum = BucketFilter<Ranges>;
static_assert(Rival<Vacuum>);

}  // namespace telescope::lab
