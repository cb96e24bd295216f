// The frame of cuckoo and vacuum filter: buckets of four tags, and for each member two buckets that its tag may be in.
//
//   bucket, 44 bits:  | tag 3 | tag 2 | tag 1 | tag 0 |     11 bits each, 0: empty
//
// The second bucket follows from the first and the tag alone (partial-key cuckoo hashing), so a tag can be moved
// without its key. How it follows is all that the two filters differ in:
//   Alternate(buckets)   how the table is cut; may round the number of buckets up: alternate.buckets()
//   alternate(b, tag)    the other bucket; an involution: alternate(alternate(b, tag), tag) == b
#pragma once

#include <array>
#include <vector>

#include "measure/bytes.hpp"
#include "rivals/cells.hpp"
#include "rivals/rival.hpp"

namespace telescope::lab {

template <class Alternate>
class BucketFilter {
 public:
  static constexpr std::string_view kName = Alternate::kName;
  static constexpr bool kAdapts = false;
  static constexpr unsigned kTags = 4, kTagBits = kRivalBits;

  BucketFilter(std::uint64_t slots, const Xxh3& hash)
      : alternate_((slots + kTags - 1) / kTags), hash_(hash), random_(slots), buckets_(alternate_.buckets()) {
    trail_.reserve(kMaxKicks);
  }

  bool contains(std::uint64_t key) const noexcept {
    const Hash h = hash_(key);
    const std::uint64_t tag = tag_of(h);
    const std::uint64_t first = scale(h.position, buckets_.size());
    const std::uint64_t second = alternate_(first, tag);
    // Both buckets are read, whatever the first says: no branch for the processor to guess. What a word holds past its
    // bucket does no harm: borrows go upwards, away from the lanes that count.
    const std::uint64_t wanted = tag * kLow;
    const std::uint64_t a = buckets_.word(first) ^ wanted, b = buckets_.word(second) ^ wanted;
    return ((((a - kLow) & ~a) | ((b - kLow) & ~b)) & kHigh) != 0;
  }

  bool insert(std::uint64_t key) noexcept {
    const Hash h = hash_(key);
    std::uint64_t tag = tag_of(h);
    std::uint64_t bucket = scale(h.position, buckets_.size());
    if (put(bucket, tag)) return true;
    bucket = alternate_(bucket, tag);
    if (put(bucket, tag)) return true;
    trail_.clear();
    while (trail_.size() < kMaxKicks) {
      const unsigned lane = lane_to_move(bucket);
      trail_.push_back({bucket, buckets_[bucket]});
      tag = exchange(bucket, lane, tag);
      bucket = alternate_(bucket, tag);
      if (put(bucket, tag)) return true;
    }
    // Full. The last tag has no place, and it is another member's: everything goes back to where it was.
    for (auto step = trail_.rbegin(); step != trail_.rend(); ++step) buckets_.set(step->bucket, step->before);
    return false;
  }

  std::uint64_t bits() const noexcept { return buckets_.bits(); }

 private:
  static constexpr std::size_t kMaxKicks = 1000;
  static constexpr std::uint64_t kTagMask = (std::uint64_t{1} << kTagBits) - 1;
  static constexpr std::uint64_t kLow =
      1 | std::uint64_t{1} << kTagBits | std::uint64_t{1} << (2 * kTagBits) | std::uint64_t{1} << (3 * kTagBits);
  static constexpr std::uint64_t kHigh = kLow << (kTagBits - 1);

  struct Step {
    std::uint64_t bucket;
    std::uint64_t before;
  };

  // Of the word that the bucket comes from, whose high bits choose the bucket and whose low bits are the tag: half a
  // hash is enough. Tag 0 means empty: it becomes 1.
  static std::uint64_t tag_of(const Hash& h) noexcept {
    const std::uint64_t tag = h.position & kTagMask;
    return tag + (tag == 0);
  }

  // Non-zero iff some lane is zero; the lowest bit set is that of the lowest zero lane.
  static std::uint64_t zero_lanes(std::uint64_t lanes) noexcept { return (lanes - kLow) & ~lanes & kHigh; }

  bool put(std::uint64_t bucket, std::uint64_t tag) noexcept {
    const std::uint64_t tags = buckets_[bucket];
    const std::uint64_t empty = zero_lanes(tags);
    if (empty == 0) return false;
    const auto lane_end = static_cast<unsigned>(std::countr_zero(empty)) + 1;
    buckets_.set(bucket, tags | tag << (lane_end - kTagBits));
    return true;
  }

  // One whose other bucket has room, if there is such; else any. Looking one step ahead costs four reads and saves many
  // moves; without it the small ranges of the vacuum filter do not fill.
  unsigned lane_to_move(std::uint64_t bucket) noexcept {
    const std::uint64_t tags = buckets_[bucket];
    for (unsigned lane = 0; lane < kTags; ++lane) {
      const std::uint64_t tag = (tags >> (lane * kTagBits)) & kTagMask;
      if (zero_lanes(buckets_[alternate_(bucket, tag)]) != 0) return lane;
    }
    return static_cast<unsigned>(random_.below(kTags));
  }

  std::uint64_t exchange(std::uint64_t bucket, unsigned lane, std::uint64_t tag) noexcept {
    const std::uint64_t tags = buckets_[bucket];
    const unsigned shift = lane * kTagBits;
    buckets_.set(bucket, (tags & ~(kTagMask << shift)) | tag << shift);
    return (tags >> shift) & kTagMask;
  }

  Alternate alternate_;
  Xxh3 hash_;
  Random random_;
  Cells<kTags * kTagBits> buckets_;
  std::vector<Step> trail_;
};

}  // namespace telescope::lab
