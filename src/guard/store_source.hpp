// The member source of a guard: a range scan of the store, corrected by the pending writes. It keeps the Failure of the
// store, since a member source can return no more than a code.
#pragma once

#include <optional>
#include <vector>

#include "pending_writes.hpp"
#include "tally.hpp"
#include "telescope/any_hash.hpp"
#include "telescope/any_store.hpp"
#include "telescope/detail/catch_to_failure.hpp"
#include "telescope/members.hpp"

namespace telescope::inline v1::detail {

class StoreSource {
 public:
  StoreSource(AnyStore& store, const AnyHash& hash, const PendingWrites& pending, Tally& tally) noexcept
      : store_(store), hash_(hash), pending_(pending), tally_(tally) {}

  // From now on a range of more members is refused, as if the store had failed, without a scan.
  void refuse_above(std::uint64_t members) noexcept { most_members_ = members; }
  bool refused() const noexcept { return refused_; }

  Status operator()(const QuotientRange& range, MemberSink sink) noexcept {
    refused_ = range.members > most_members_;
    if (refused_) return Error::source_failed;
    tally_.count(Tally::scans);
    auto yielded = catch_to_failure([&]() -> Outcome<void> {
      std::vector<PendingWrites::Member> members;
      auto scanned = store_.scan(range.first_position, range.last_position, [&](const Record& record) {
        members.push_back({hash_(record.key), std::string(record.key)});
        return true;
      });
      if (!scanned) return scanned;
      pending_.correct(range, members);
      for (const PendingWrites::Member& member : members) sink(member.hash);
      return {};
    });
    if (yielded) return {};
    failure_ = std::move(yielded).error();
    return Error::source_failed;
  }

  // Returns what to report for an operation with this source that returned `error`.
  Failure failure_of(Error error) const {
    return error == Error::source_failed && failure_ ? *failure_ : to_failure(error);
  }

 private:
  AnyStore& store_;
  const AnyHash& hash_;
  const PendingWrites& pending_;
  Tally& tally_;
  std::uint64_t most_members_ = ~std::uint64_t{0};
  bool refused_ = false;
  std::optional<Failure> failure_;
};

}  // namespace telescope::inline v1::detail
