// PendingWrites: the keys about which filter and store may not agree. Nothing else knows it; docs/guard-protocol.md has
// the protocol and why it is right.
//
//   agreed --begin--> pending --the filter has followed-----------------------------------> agreed
//                        |
//                        +--the write failed--> in doubt --the store has told, and then the filter has followed-->
//                        agreed
//
// The item of a key that is pending or in doubt is *open* as long as the filter has not followed. A member source reads
// the store, which may be ahead of the filter. Corrected by the open items, its members are those of the filter at any
// moment at which no writer can change the quotient:
//   a key that the filter does not have yet is none of them, whether the scan has seen it or not;
//   a key that the filter has still is one of them, whether the scan has seen it or not;
//   a key whose item becomes open only after the scan has not changed before it either.
// So a source looks here after its scan, once, under one lock.
//
// A query asks here before it asks the filter, and for a key in doubt it asks the store whatever the filter says. So a
// key stops being in doubt only after the filter has followed, for all to see: `follow` comes before that, within the
// locks of the filter, `settle` after it.
//
// Cost. A key in doubt is searched for in each write that has failed, by binary search. These are few: a write first
// settles as many keys as it may leave in doubt itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telescope/detail/lock_order.hpp"
#include "telescope/members.hpp"

namespace telescope::inline v1::detail {

// Thread-safe. Only the making of a Batch and what copies keys need memory: a write that fails when there is none
// leaves its keys in doubt all the same.
class PendingWrites {
 public:
  struct Item {
    Hash hash;
    std::string_view key;
    bool in_filter = false;  // as long as the item is open
  };

 private:
  enum class State : std::uint8_t { open, followed, agreed };
  struct Entry {
    Item item;
    State state = State::open;
  };
  struct Record {
    std::string keys;               // of the entries, one behind the other
    std::vector<Entry> entries;     // in order of position
    std::size_t disagreeing = 0;    // entries that are not agreed
    std::size_t agreed_before = 0;  // all entries before this one are agreed
    bool failed = false;

    void agree(Entry& entry) noexcept {
      disagreeing -= entry.state != State::agreed ? 1 : 0;
      entry.state = State::agreed;
    }
  };

 public:
  // The keys of one write, from before it touches the store until the filter has followed. The keys whose items are
  // open when the batch is destroyed are in doubt from then on.
  class Batch {
   public:
    // The items must be in order of position, and no two of the same key.
    Batch(PendingWrites& all, const std::vector<Item>& items);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    std::size_t size() const noexcept { return record_.entries.size(); }
    const Item& operator[](std::size_t i) const noexcept { return record_.entries[i].item; }
    // Filter and store agree about the i-th key.
    void complete(std::size_t i) noexcept;
    // For a write that has not reached the store: no key will be in doubt.
    void cancel() noexcept;

   private:
    PendingWrites& all_;
    Record& record_;
  };

  struct Member {
    Hash hash;
    std::string key;
    bool gone = false;
  };
  // Turns the members of a range, in the order in which a scan of the store shows them, into those that the filter has.
  // O(log members) for each open item of the range.
  void correct(const QuotientRange& range, std::vector<Member>& members) const;

  // Returns how many keys are in doubt.
  std::uint64_t doubts() const noexcept { return doubts_.load(); }
  // Returns whether the filter has the key, if the key is in doubt.
  std::optional<bool> in_doubt(const Hash& hash, std::string_view key) const noexcept;
  // Returns some key in doubt, if there is one.
  std::optional<std::string> next_in_doubt();
  // The filter follows the store about the key in doubt; no other writer can change its quotient.
  void follow(const Hash& hash, std::string_view key) noexcept;
  // The filter has followed, and whoever asks it sees that: the key is in doubt no more.
  void settle(const Hash& hash, std::string_view key) noexcept;
  // The same of all keys in doubt, while no write is under way.
  void follow_all() noexcept;
  void settle_all() noexcept;

 private:
  using Records = std::vector<std::unique_ptr<Record>>;
  // Returns the entry of the key in doubt, and its record. The caller holds mutex_.
  std::pair<Records::const_iterator, Entry*> find(const Hash& hash, std::string_view key) const noexcept;
  // Forgets the record of a failed write if all of its keys are agreed. The caller holds mutex_.
  void drop_if_agreed(Records::const_iterator record) noexcept;

  mutable RankedMutex<LockRank::pending_writes> mutex_;
  Records records_;  // of the writes that are under way or have failed
  std::atomic<std::uint64_t> doubts_ = 0;
};

}  // namespace telescope::inline v1::detail
