// The members of a filter, out of its store: a range scan, corrected by what is unsettled. Keeps what the store said
// when it failed, since a member source can only say that it did.
#pragma once

#include <exception>
#include <vector>

#include "tally.hpp"
#include "telescope/any_hash.hpp"
#include "telescope/any_store.hpp"
#include "telescope/members.hpp"
#include "unsettled.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

class StoreSource {
 public:
  StoreSource(AnyStore& store, const AnyHash& hash, const Unsettled& unsettled, Tally& tally) noexcept
      : store_(store), hash_(hash), unsettled_(unsettled), tally_(tally) {}

  Status operator()(const QuotientRange& range, MemberSink sink) noexcept {
    try {
      tally_.count(Tally::scans);
      std::vector<Unsettled::Found> found;
      auto scanned = store_.scan(range.first_position, range.last_position, [&](const Record& record) {
        found.push_back({hash_(record.key), std::string(record.key)});
        return true;
      });
      if (!scanned) return failed(std::move(scanned).error());
      unsettled_.correct(range, found);
      for (const Unsettled::Found& member : found) sink(member.hash);
      return {};
    } catch (const std::bad_alloc&) {
      return Error::no_memory;
    } catch (const std::exception& error) {
      return failed({Error::store_failed, error.what()});
    }
  }

  // For an operation that returned this error.
  Failure failure_of(Error error) {
    if (error == Error::source_failed && failure_) return *failure_;
    return {error, std::string(message(error))};
  }

 private:
  Error failed(Failure failure) {
    failure_ = std::move(failure);
    return Error::source_failed;
  }

  AnyStore& store_;
  const AnyHash& hash_;
  const Unsettled& unsettled_;
  Tally& tally_;
  std::optional<Failure> failure_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
