// Queries out of a recorded stream, and the two ways to choose members for it.
//
//   fresh      the members are new keys; every access is a query (the paper's FireHose figures: A is what the stream
//   has,
//              and |S| = A / (A/S))
//   partition  some keys of the stream are the members, and accesses to the others are the queries (Mitzenmacher et
//   al.:
//              some flows are members, packets of the others are queries)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/recording.hpp"
#include "workloads/random.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

// Members of a recorded stream; `among` marks those of its keys, by number, that are members.
struct RecordedMembers {
  std::vector<std::uint64_t> keys;
  std::vector<bool> among;
};

inline RecordedMembers fresh_members(const Recording& recording, std::uint64_t count, std::uint64_t seed) {
  RecordedMembers members;
  const Keys keys(seed);
  for (std::uint64_t i = 0; members.keys.size() < count; ++i) {
    if (!recording.index.contains(keys[i])) members.keys.push_back(keys[i]);
  }
  members.among.assign(static_cast<std::size_t>(recording.unique()), false);
  return members;
}

// Ranks the keys by a hash; the first unique / (as + 1) are members.
inline RecordedMembers partition_members(const Recording& recording, double as, std::uint64_t seed) {
  const auto rank = [seed](std::uint64_t key) { return mix64((key ^ seed) + 0x9e3779b97f4a7c15u); };
  std::vector<std::uint64_t> ranks;
  for (const std::uint64_t key : recording.index.keys()) ranks.push_back(rank(key));
  const auto count = static_cast<std::size_t>(static_cast<double>(ranks.size()) / (as + 1));
  RecordedMembers members;
  members.among.assign(ranks.size(), false);
  if (count == 0) return members;
  std::vector<std::uint64_t> sorted = ranks;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count - 1), sorted.end());
  const std::uint64_t last = sorted[count - 1];  // ranks differ: the hash is a bijection
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] > last) continue;
    members.among[i] = true;
    members.keys.push_back(recording.index.keys()[i]);
  }
  return members;
}

// Both must outlive the workload.
class RecordedWorkload final : public Workload {
 public:
  RecordedWorkload(const Recording& recording, const std::vector<bool>& members, unsigned passes)
      : recording_(recording), members_(members), passes_(passes) {}

  std::optional<Query> next() override {
    for (;;) {
      if (at_ == recording_.accesses.size()) {
        at_ = 0;
        if (++pass_ >= passes_) return std::nullopt;
      }
      const KeyIndex::Number number = recording_.accesses[at_++];
      if (members_[number]) continue;
      // Numbers were given in the order of first accesses.
      const bool repeat = number < seen_;
      if (!repeat) seen_ = number + 1;
      return Query{recording_.index.key(number), repeat};
    }
  }

 private:
  const Recording& recording_;
  const std::vector<bool>& members_;
  unsigned passes_;
  unsigned pass_ = 0;
  std::size_t at_ = 0;
  KeyIndex::Number seen_ = 0;
};

}  // namespace telescope::lab
