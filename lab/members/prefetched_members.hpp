// The members that adapting on some keys will ask for, fetched before the clock starts: what a store answers costs what
// the store costs, and a benchmark of the filter leaves it out.
#pragma once

#include <cstdint>
#include <span>
#include <telescope/members.hpp>
#include <vector>

#include "members/member_index.hpp"

namespace telescope::lab {

class PrefetchedMembers {
 public:
  // Fetches the members of the quotient of each key.
  PrefetchedMembers(std::span<const Hash> keys, std::uint64_t slots, const MemberIndex& index)
      : keys_(keys.begin(), keys.end()), index_(index), first_{0} {
    for (const Hash& key : keys) {
      const auto members = index.of_quotient(key.position, slots);
      members_.insert(members_.end(), members.begin(), members.end());
      first_.push_back(members_.size());
    }
  }

  // Returns a MemberSource for key i. A code that overflows may ask for other quotients: these come from the index.
  auto source(std::size_t i) const noexcept {
    return [this, i](const QuotientRange& range, MemberSink sink) -> Status {
      if (range.end != range.first + 1 || !lies_in(keys_[i], range)) return index_(range, sink);
      for (std::size_t at = first_[i]; at < first_[i + 1]; ++at) sink(members_[at]);
      return {};
    };
  }

 private:
  static bool lies_in(const Hash& key, const QuotientRange& range) noexcept {
    return range.first_position <= key.position && key.position <= range.last_position;
  }

  std::vector<Hash> keys_;
  const MemberIndex& index_;
  std::vector<std::size_t> first_;
  std::vector<Hash> members_;
};

}  // namespace telescope::lab
