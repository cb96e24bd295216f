// PendingWrites: the keys about which filter and store do not agree at the moment.
//
//                     insert                          erase
//   begin             pending, Direction::insert      pending, Direction::erase       neither has changed yet
//   write to store    the store has it                the filter has it still
//   update filter     complete, while no other writer can change the quotient: filter and store agree again
//
// A member source reads the store, which may be ahead of the filter. Corrected by the pending writes, its members are
// those of the filter at any moment at which no writer can change the quotient:
//   a key that is being inserted is not in the filter yet, whether the scan has seen it or not;
//   a key that is being erased is in it still, whether the scan has seen it or not;
//   a key that becomes pending only after the scan has not changed before it either.
// So a source looks here after its scan, once, under one lock.
//
// A write that failed leaves its keys here *in doubt*, until the store has said what it took.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "telescope/detail/lock_order.hpp"
#include "telescope/members.hpp"

namespace telescope::inline v1::detail {

enum class Direction { insert, erase };

// Thread-safe.
class PendingWrites {
 public:
  struct Item {
    Hash hash;
    std::string_view key;
    bool complete = false;
  };

  // The keys of one write, from before it touches the store until the filter is updated. The keys that are not complete
  // when the batch is destroyed are in doubt from then on.
  class Batch {
   public:
    // The items must be in order of position, and their keys must outlive the batch.
    Batch(PendingWrites& all, Direction direction, std::vector<Item> items);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    const std::vector<Item>& items() const noexcept { return items_; }
    void complete(std::size_t i) noexcept {
      const std::lock_guard lock(all_.mutex_);
      items_[i].complete = true;
    }
    // For a write that has not reached the store: no key will be in doubt.
    void cancel() noexcept;

   private:
    friend class PendingWrites;
    PendingWrites& all_;
    Direction direction_;
    std::vector<Item> items_;
  };

  struct Member {
    Hash hash;
    std::string key;
  };
  // Turns the members of a range as a scan of the store found them into those that the filter has.
  void correct(const QuotientRange& range, std::vector<Member>& members) const;

  // Returns how many keys are in doubt.
  std::uint64_t doubts() const noexcept { return doubts_.load(); }
  // Returns the direction of the write that left the key in doubt, if one did.
  std::optional<Direction> in_doubt(const Hash& hash, std::string_view key) const;
  // Returns the first key in doubt, if there is one.
  std::optional<std::string> next_in_doubt() const;
  // Filter and store agree about the key again.
  void resolve(const Hash& hash, std::string_view key) noexcept;

 private:
  using Key = std::pair<std::uint64_t, std::string>;  // position and key
  struct Doubt {
    Hash hash;
    Direction direction;
  };

  mutable RankedMutex<LockRank::pending_writes> mutex_;
  std::vector<Batch*> batches_;
  std::map<Key, Doubt> in_doubt_;
  std::atomic<std::uint64_t> doubts_ = 0;  // in_doubt_.size()
};

}  // namespace telescope::inline v1::detail
