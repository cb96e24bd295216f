// Members at hand: what a store answers, from memory, so that a benchmark of adapting measures the filter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <telescope/members.hpp>
#include <utility>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

// The hashes of the members, sorted by position, with the first member of every bucket of positions beside them.
// There are as many buckets as members, so a scan starts at most a few members early.
class MemberIndex {
 public:
  explicit MemberIndex(std::vector<Hash> members) : members_(std::move(members)) {
    std::sort(members_.begin(), members_.end(), [](const Hash& a, const Hash& b) { return a.position < b.position; });
    const unsigned bits = std::max(1u, static_cast<unsigned>(std::bit_width(members_.size())));
    shift_ = 64 - bits;
    first_.assign((std::size_t{1} << bits) + 1, 0);
    for (const Hash& member : members_) ++first_[bucket(member.position) + 1];
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  }

  // Answers as a MemberSource.
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    for (std::size_t i = first_[bucket(range.first_position)]; i < members_.size(); ++i) {
      if (members_[i].position > range.last_position) break;
      if (members_[i].position >= range.first_position) sink(members_[i]);
    }
    return {};
  }

  // Returns the members of the quotient on which `position` falls in a filter of that many slots.
  std::span<const Hash> of_quotient(std::uint64_t position, std::uint64_t slots) const noexcept {
    const auto quotient = [slots](std::uint64_t p) { return static_cast<Uint128>(p) * slots >> 64; };
    const auto shared = quotient(position);
    std::size_t first = first_[bucket(position)];
    while (first > 0 && quotient(members_[first - 1].position) >= shared) --first;
    while (first < members_.size() && quotient(members_[first].position) < shared) ++first;
    std::size_t last = first;
    while (last < members_.size() && quotient(members_[last].position) == shared) ++last;
    return std::span(members_).subspan(first, last - first);
  }

  std::size_t size() const noexcept { return members_.size(); }

 private:
  std::size_t bucket(std::uint64_t position) const noexcept { return static_cast<std::size_t>(position >> shift_); }

  std::vector<Hash> members_;
  std::vector<std::uint32_t> first_;
  unsigned shift_ = 0;
};

}  // namespace telescope::lab
