// Reuse distances of a stream, in one pass: between two accesses to a key, how many different other keys there were.
//
// A Fenwick tree over time marks the last access of every key; the marks behind a key's last access are the distance.
// Time is renumbered when it runs out, so that the tree has room for twice the keys and not for all accesses: O(n log
// u) steps and O(u) memory for n accesses to u keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "trace/key_index.hpp"

namespace telescope::lab {

class ReuseDistances {
 public:
  void add(std::uint64_t key) {
    const KeyIndex::Number number = index_.number(key);
    ++accesses_;
    if (now_ == tree_.size()) renumber();
    if (number == last_.size()) {
      last_.push_back(now_);
      distances_.push_back(0);
    } else {
      ++distances_[marks_behind(last_[number])];
      mark(last_[number], -1);
      last_[number] = now_;
    }
    owner_[now_] = number;
    mark(now_++, 1);
  }

  std::uint64_t accesses() const noexcept { return accesses_; }
  std::uint64_t unique() const noexcept { return index_.size(); }
  std::uint64_t repeats() const noexcept { return accesses_ - unique(); }

  // The smallest distance that at least this share of the repeats do not exceed; 0 if there are none.
  std::uint64_t quantile(double share) const noexcept {
    const double wanted = share * static_cast<double>(repeats());
    std::uint64_t so_far = 0;
    for (std::size_t d = 0; d < distances_.size(); ++d) {
      so_far += distances_[d];
      if (so_far > 0 && static_cast<double>(so_far) >= wanted) return d;
    }
    return 0;
  }

  double mean() const noexcept {
    double sum = 0;
    for (std::size_t d = 0; d < distances_.size(); ++d)
      sum += static_cast<double>(d) * static_cast<double>(distances_[d]);
    return repeats() == 0 ? 0 : sum / static_cast<double>(repeats());
  }

 private:
  using Time = std::uint32_t;

  // tree_[i] sums the marks of (i & (i + 1)) .. i.
  void mark(Time at, int change) noexcept {
    for (std::size_t i = at; i < tree_.size(); i |= i + 1) tree_[i] += static_cast<std::uint32_t>(change);
  }
  std::uint32_t marks_up_to(Time at) const noexcept {
    std::uint32_t sum = 0;
    for (std::size_t i = at + std::size_t{1}; i > 0; i &= i - 1) sum += tree_[i - 1];
    return sum;
  }
  std::uint32_t marks_behind(Time at) const noexcept {
    return static_cast<std::uint32_t>(last_.size()) - marks_up_to(at);
  }

  // Keys keep their order in time, and get the times 0, 1, 2, ...
  void renumber() {
    Time fresh = 0;
    std::vector<KeyIndex::Number> order(last_.size());
    for (Time t = 0; t < now_; ++t) {
      if (last_[owner_[t]] == t) order[fresh++] = owner_[t];
    }
    now_ = fresh;
    const std::size_t room = std::max<std::size_t>(1024, 2 * last_.size() + 1024);
    owner_.assign(room, 0);
    tree_.assign(room, 0);
    for (Time t = 0; t < now_; ++t) {
      owner_[t] = order[t];
      last_[order[t]] = t;
      mark(t, 1);
    }
  }

  KeyIndex index_;
  std::uint64_t accesses_ = 0;
  Time now_ = 0;
  std::vector<Time> last_;                // by key
  std::vector<KeyIndex::Number> owner_;   // by time: who was accessed
  std::vector<std::uint32_t> tree_;       // by time
  std::vector<std::uint64_t> distances_;  // how many repeats have that distance
};

}  // namespace telescope::lab
