// The guard proper, one class in several files:
//
//   guard_open.cpp     making the filter: from the snapshot, from the store, to another size
//   guard_query.cpp    contains and get, and what they do after a false positive
//   guard_write.cpp    insert and erase
//   guard_doubt.cpp    keys of failed writes: asking the store what became of them
//   guard_save.cpp     the snapshot, and when it belongs to the store
//   guard_verify.cpp   verify, each, info and counters
//
// A write: key lock -> is the key there? -> pending -> store -> filter; no longer pending. A query takes none of the
// locks of this class unless its key is in doubt.
//
// All locks, in the order in which they are taken; no thread takes one while it holds one from further down. It is the
// table of docs/guard.md and the order of LockRank.
//
//   lock                           protects                                                       held over I/O?
//   write_mutex_                   shared: a write; alone: save, verify, rebuild                  yes
//   key_locks_, in order of class  a key, from "is it there?" until filter and store agree        yes
//   state_mutex_                   the name of the state in the store, while a write clears it    yes
//   SharedFilter::resize_mutex_    shared: use of the frame; alone: growing, and another frame    yes
//   SharedFilter::read_mutex_      shared: a query; alone: a commit while the filter grows        no
//   Regions, in order of block     blocks that an operation may change, its members included      yes
//   Regions' versions (seqlocks)   blocks that are being written                                  no
//   PendingWrites::mutex_          the pending writes and the keys in doubt                       no
//   RateLimit::mutex_              the tokens                                                     no
//
// Whoever changes the frame under a Regions mutex shares resize_mutex_, and whoever takes read_mutex_ alone holds
// resize_mutex_ alone; so no query waits for a growing filter that waits for a region.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "key_locks.hpp"
#include "pending_writes.hpp"
#include "rate_limit.hpp"
#include "remembered.hpp"
#include "set_meta.hpp"
#include "shared_filter.hpp"
#include "store_source.hpp"
#include "tally.hpp"
#include "telescope/any_hash.hpp"
#include "telescope/guard.hpp"

namespace telescope::inline v1::detail {

// The public functions do as those of Guard.
class GuardCore {
 public:
  GuardCore(AnyStore store, SetMeta meta, const GuardOptions& options);

  // guard_open.cpp
  // Makes the filter, before anything else is called: from the snapshot if it belongs to the store, else from the
  // store.
  Outcome<void> load();
  // Writes the description of a new set into the store, which has none.
  Outcome<void> create() { return create_meta(store_, meta_); }
  Outcome<void> rebuild();
  Outcome<void> resize(std::uint64_t slots);

  // guard_query.cpp
  // If `value` is null, or `values` empty, the store need not read any.
  Outcome<bool> get(std::string_view key, std::string* value);
  Outcome<void> get(std::span<const std::string_view> keys, std::span<std::string> values,
                    std::span<std::uint8_t> present);
  Outcome<std::uint64_t> preload_negatives(std::span<const std::string_view> keys);

  // guard_write.cpp
  Outcome<bool> insert(const Entry& entry);
  Outcome<std::uint64_t> insert(std::span<const Entry> entries);
  Outcome<bool> erase(std::string_view key);
  Outcome<std::uint64_t> erase(std::span<const std::string_view> keys);

  // guard_save.cpp
  Outcome<void> save();

  // guard_verify.cpp
  Outcome<VerifyReport> verify();
  Outcome<void> each(EntrySink sink);
  GuardInfo info();
  GuardCounters counters() const;
  std::array<std::uint64_t, 16> letters();

 private:
  StoreSource store_source() noexcept { return {store_, hash_, pending_, tally_}; }
  // Counts what the store reports.
  Failure failed(Failure failure) {
    tally_.count(Tally::store_errors);
    return failure;
  }
  bool adapts() const noexcept { return meta_.set.filter != FilterKind::rsqf; }

  // guard_open.cpp
  Outcome<AnyFilter> scan_store();
  Outcome<void> install_filter(AnyFilter filter);

  // guard_query.cpp
  Outcome<bool> read(const Hash& hash, std::string_view key, std::string* value);
  Outcome<void> on_false_positive(const Hash& hash);
  Outcome<void> adapt(const Hash& hash);

  // guard_write.cpp
  Outcome<bool> is_member(const Hash& hash, std::string_view key, bool maybe);
  Outcome<std::uint64_t> apply(std::span<const Write> writes, const std::vector<PendingWrites::Item>& items,
                               bool members);
  Outcome<void> write(std::span<const Write> writes);
  Outcome<void> update_filter(PendingWrites::Batch& batch, bool members);
  Outcome<void> follow(const Hash& hash, bool member, SharedFilter::BeforeCommit before_commit);
  Outcome<void> clear_state_name();

  // guard_doubt.cpp
  bool in_doubt(const Hash& hash, std::string_view key) const {
    return pending_.doubts() != 0 && pending_.in_doubt(hash, key).has_value();
  }
  Outcome<void> expect_settled();
  Outcome<bool> resolve(const Hash& hash, std::string_view key, std::string* value);
  Outcome<void> resolve_some(std::size_t count);
  Outcome<void> resolve_all();

  // guard_save.cpp
  Outcome<void> quiesce();
  std::string snapshot_note();
  Outcome<AnyFilter> load_saved();

  // guard_verify.cpp
  Outcome<void> verify_members(const AnyFilter& filter, VerifyReport& report);

  AnyStore store_;
  SetMeta meta_;
  GuardOptions options_;
  AnyHash hash_;
  std::unique_ptr<SharedFilter> filter_;
  PendingWrites pending_;
  KeyLocks key_locks_;
  Ranked<StripedSharedMutex, LockRank::writes> write_mutex_;
  Tally tally_;
  RateLimit adapt_limit_;
  Remembered remembered_;

  RankedMutex<LockRank::state> state_mutex_;
  std::atomic<bool> named_ = false;    // the store bears the name of a state
  std::atomic<bool> changed_ = false;  // the filter has, since it was saved or loaded
  bool from_snapshot_ = false;
  std::string opened_;
};

}  // namespace telescope::inline v1::detail
