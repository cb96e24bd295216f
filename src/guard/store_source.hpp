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
  static constexpr std::size_t kAll = ~std::size_t{0};

  // Fails for a range with more than `most` records; too_many() then says that this was the reason.
  StoreSource(AnyStore& store, const AnyHash& hash, const PendingWrites& pending, Tally& tally,
              std::size_t most = kAll) noexcept
      : store_(store), hash_(hash), pending_(pending), tally_(tally), most_(most) {}

  Status operator()(const QuotientRange& range, MemberSink sink) noexcept {
    tally_.count(Tally::scans);
    auto yielded = catch_to_failure([&]() -> Outcome<void> {
      std::vector<PendingWrites::Member> members;
      auto scanned = store_.scan(range.first_position, range.last_position, [&](const Record& record) {
        if (members.size() == most_) {
          too_many_ = true;
          return false;
        }
        members.push_back({hash_(record.key), std::string(record.key)});
        return true;
      });
      if (!scanned) return scanned;
      if (too_many_) return Failure{Error::source_failed, "too many"};
      pending_.correct(range, members);
      for (const PendingWrites::Member& member : members) sink(member.hash);
      return {};
    });
    if (yielded) return {};
    failure_ = std::move(yielded).error();
    return Error::source_failed;
  }

  bool too_many() const noexcept { return too_many_; }
  // Returns what to report for an operation with this source that returned `error`.
  Failure failure_of(Error error) const {
    return error == Error::source_failed && failure_ ? *failure_ : to_failure(error);
  }

 private:
  AnyStore& store_;
  const AnyHash& hash_;
  const PendingWrites& pending_;
  Tally& tally_;
  std::size_t most_;
  bool too_many_ = false;
  std::optional<Failure> failure_;
};

}  // namespace telescope::inline v1::detail
