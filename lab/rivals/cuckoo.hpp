// The cuckoo filter (Fan et al. 2014). The other bucket may be anywhere: b and b' add up to the tag's point, modulo the
// number of buckets. (The original takes an exclusive-or, which needs a power of two.) Points come from a table of 16
// KB.
#pragma once

#include "rivals/bucket_filter.hpp"

namespace telescope::lab {

class WholeTable {
 public:
  static constexpr std::string_view kName = "cuckoo";

  explicit WholeTable(std::uint64_t buckets) : buckets_(buckets), points_(std::size_t{1} << kRivalBits) {
    for (std::size_t tag = 0; tag < points_.size(); ++tag) points_[tag] = scale(mix64(tag), buckets);
  }

  std::uint64_t buckets() const noexcept { return buckets_; }

  std::uint64_t operator()(std::uint64_t bucket, std::uint64_t tag) const noexcept {
    const std::uint64_t point = points_[tag];
    return point - bucket + (point < bucket ? buckets_ : 0);
  }

 private:
  std::uint64_t buckets_;
  std::vector<std::uint64_t> points_;  // of the tags
};

using Cuckoo = BucketFilter<WholeTable>;
static_assert(Rival<Cuckoo>);

}  // namespace telescope::lab
