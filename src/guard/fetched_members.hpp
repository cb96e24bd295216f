// A member source that does no I/O, for operations that keep readers out and must not wait for a store. It yields the
// ranges that were fetched before. Asked for another it fails and remembers which; the operation, having changed
// nothing, fails too. Then the caller fetches that range and tries again.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "telescope/members.hpp"

namespace telescope::inline v1::detail {

class FetchedMembers {
 public:
  Status operator()(const QuotientRange& range, MemberSink sink) {
    for (const Fetched& fetched : fetched_) {
      if (range.first_position < fetched.range.first_position || range.last_position > fetched.range.last_position) {
        continue;
      }
      for (const Hash& member : fetched.members) {
        if (member.position >= range.first_position && member.position <= range.last_position) sink(member);
      }
      return {};
    }
    wanted_ = range;
    return Error::source_failed;
  }

  // Returns whether it was asked for a range that it has not.
  bool wants() const noexcept { return wanted_.has_value(); }
  // Fetches that range. Fails as the source does.
  Status fetch(const MemberSource& source) {
    Fetched fetched{*std::exchange(wanted_, std::nullopt), {}};
    const Status done = source(fetched.range, [&](const Hash& member) { fetched.members.push_back(member); });
    if (done.ok()) fetched_.push_back(std::move(fetched));
    return done;
  }

 private:
  struct Fetched {
    QuotientRange range;
    std::vector<Hash> members;
  };

  std::vector<Fetched> fetched_;
  std::optional<QuotientRange> wanted_;
};

}  // namespace telescope::inline v1::detail
