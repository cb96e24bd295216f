// The guard proper. Its parts, and who may do what at the same time:
//
//   filter_      the filter, for readers and writers of all threads                            (shared_filter.hpp)
//   unsettled_   keys of writes under way, and of writes that failed                           (unsettled.hpp)
//   key_locks_   writes to one key happen one after the other
//   writers_     shared by writes; held alone to save, to verify, to rebuild
//
// A write: key lock -> is it there? -> enter as unsettled -> store -> filter, settled. A query takes none of these
// locks unless its key is in doubt.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "key_locks.hpp"
#include "rate_limit.hpp"
#include "remembered.hpp"
#include "set_meta.hpp"
#include "shared_filter.hpp"
#include "store_source.hpp"
#include "tally.hpp"
#include "telescope/any_hash.hpp"
#include "telescope/guard.hpp"
#include "unsettled.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

class GuardCore {
 public:
  GuardCore(AnyStore store, SetMeta meta, const GuardOptions& options);

  // Makes the filter: from the snapshot, if it belongs to the store, else from the store.
  Outcome<void> load();

  // guard_query.cpp
  Outcome<bool> look_up(std::string_view key, std::string& value);
  Outcome<void> look_up(std::span<const std::string_view> keys, std::span<std::string> values,
                        std::span<std::uint8_t> present);
  Outcome<std::uint64_t> preload_negatives(std::span<const std::string_view> keys);

  // guard_write.cpp
  Outcome<bool> insert(const Entry& entry);
  Outcome<std::uint64_t> insert(std::span<const Entry> entries);
  Outcome<bool> erase(std::string_view key);
  Outcome<std::uint64_t> erase(std::span<const std::string_view> keys);

  // guard_life.cpp
  Outcome<void> each(EntrySink sink);
  Outcome<void> save();
  Outcome<void> rebuild();
  Outcome<void> resize(std::uint64_t slots);
  Outcome<VerifyReport> verify();
  GuardInfo info();
  GuardCounters counters() const;
  std::vector<std::uint64_t> letters();

 private:
  StoreSource source() noexcept { return {store_, hash_, unsettled_, tally_}; }
  // Counts what the store reports.
  Failure failed(Failure failure) {
    tally_.count(Tally::store_errors);
    return failure;
  }
  bool adapts() const noexcept { return meta_.set.filter != FilterKind::rsqf; }

  // guard_query.cpp
  Outcome<bool> read(const Hash& hash, std::string_view key, std::string& value);
  Outcome<void> false_positive(const Hash& hash);
  Outcome<void> adapt(const Hash& hash);
  Outcome<bool> look_up_in_store(const Hash& hash, std::string_view key, std::string& value);
  bool in_doubt(const Hash& hash, std::string_view key) const {
    return unsettled_.doubts() != 0 && unsettled_.doubt(hash, key).has_value();
  }
  // With the key's lock: asks the store what it holds and makes the filter follow. Whether the key is there.
  Outcome<bool> settle(const Hash& hash, std::string_view key, std::string& value);
  Outcome<void> settle_some(std::size_t count);
  Outcome<void> settle_all();  // alone

  // guard_write.cpp
  Outcome<bool> is_member(const Hash& hash, std::string_view key, bool maybe);
  Outcome<std::uint64_t> apply(Holder holder, std::span<const Write> writes, std::vector<Unsettled::Item> items);
  // The filter follows the store, item by item. The first error; later items are tried all the same.
  Outcome<void> follow(Unsettled::Batch& batch, Holder holder);
  Outcome<void> write(std::span<const Write> writes);
  Outcome<void> take_state_away();

  // guard_life.cpp
  Outcome<AnyFilter> load_saved();
  Outcome<AnyFilter> scan_store();
  Outcome<void> take(AnyFilter filter);
  void verify_members(const AnyFilter& filter, VerifyReport& report, Outcome<void>& scanned);

  AnyStore store_;
  SetMeta meta_;
  GuardOptions options_;
  AnyHash hash_;
  std::unique_ptr<SharedFilter> filter_;
  Unsettled unsettled_;
  KeyLocks key_locks_;
  FairMutex writers_;
  Tally tally_;
  RateLimit adapt_limit_;
  Remembered remembered_;

  std::atomic<bool> named_ = false;    // the store bears the name of a state
  std::atomic<bool> changed_ = false;  // the filter, since it was saved or loaded
  std::mutex state_mutex_;             // of meta_.state and meta_.slots
  bool from_snapshot_ = false;
  std::string opened_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
