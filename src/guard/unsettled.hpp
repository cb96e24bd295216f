// Unsettled: the keys about which filter and store do not agree at the moment.
//
//                     insert                          erase
//   begin             entered as `store`              entered as `filter`          neither has changed yet
//   write to store    the store has it                the filter has it still
//   change filter     settled, while no other writer comes near the quotient: they agree again
//
// A member source reads the store, which may be ahead of the filter. Corrected by what is unsettled, its members are
// those of the filter at any moment at which no writer can change the quotient:
//   a key entered as `store` is not in the filter yet, whether the scan has seen it or not;
//   a key entered as `filter` is in it still, whether the scan has seen it or not;
//   a key that is entered only after the scan has not changed before it either.
// So sources look here after the scan, and all at once.
//
// A write that failed leaves its keys here as doubts, until the store has said what it took.
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

#include "telescope/members.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// The only one of the two that may hold the key.
enum class Holder { store, filter };

class Unsettled {
 public:
  struct Item {
    Hash hash;
    std::string_view key;
    bool settled = false;
  };

  // Keys of one write, from before it touches the store until the filter has followed. What is not settled by then
  // becomes a doubt.
  class Batch {
   public:
    // The items are in order of position, and their keys outlive the batch.
    Batch(Unsettled& all, Holder holder, std::vector<Item> items);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    const std::vector<Item>& items() const noexcept { return items_; }
    void settle(std::size_t i) noexcept {
      const std::lock_guard lock(all_.mutex_);
      items_[i].settled = true;
    }
    // Nothing has reached the store.
    void forget() noexcept;

   private:
    friend class Unsettled;
    Unsettled& all_;
    Holder holder_;
    std::vector<Item> items_;
  };

  // The members of a range as a scan found them; becomes those that the filter has.
  struct Found {
    Hash hash;
    std::string key;
  };
  void correct(const QuotientRange& range, std::vector<Found>& found) const;

  // How many keys are in doubt.
  std::uint64_t doubts() const noexcept { return doubts_.load(); }
  std::optional<Holder> doubt(const Hash& hash, std::string_view key) const;
  void settle(const Hash& hash, std::string_view key) noexcept;
  // Any of them.
  std::optional<std::string> next_doubt() const;

 private:
  using Key = std::pair<std::uint64_t, std::string>;  // position and key
  struct Doubt {
    Hash hash;
    Holder holder;
  };

  mutable std::mutex mutex_;
  std::vector<Batch*> batches_;
  std::map<Key, Doubt> doubt_of_;
  std::atomic<std::uint64_t> doubts_ = 0;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
