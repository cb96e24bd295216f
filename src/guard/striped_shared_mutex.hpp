// A shared mutex with the interface of std::shared_mutex, for locks that are shared nearly always: a shared lock costs
// two writes to a cache line that few threads use, and no call of the system.
//
// It is fair. Whoever waits for the exclusive lock holds up the shared ones that come after. Those that had to wait
// come before the next exclusive lock. (glibc's rwlock prefers readers, who can starve a writer for ever.) Whoever has
// to wait sleeps in the kernel, so a lock may be held over I/O.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "stripe.hpp"

namespace telescope::inline v1::detail {

// Shared locks are counted, each on the stripe of its thread; whoever has counted himself looks whether an exclusive
// lock is there. That one says so, then waits until all counts are zero. All of it is sequentially consistent, and so:
//   Exclusion. Of a shared lock that counts itself, then looks, and an exclusive one that says it is there, then reads
//   the counts, one sees the other.
//   No wake-up is lost. A count that reaches zero is followed by a look at exclusive_. If that finds none, the
//   exclusive lock comes later and finds the zero; if it finds one, it wakes it. What does not reach zero need not wake
//   anybody.
class StripedSharedMutex {
 public:
  void lock_shared() noexcept {
    if (try_lock_shared()) return;
    queued_.fetch_add(1);
    while (!try_lock_shared()) exclusive_.wait(1);
    if (queued_.fetch_sub(1) == 1) queued_.notify_one();
  }
  bool try_lock_shared() noexcept {
    std::atomic<std::uint32_t>& holders = stripes_[stripe_of_thread()].holders;
    holders.fetch_add(1);
    if (exclusive_.load() == 0) return true;
    leave(holders);
    return false;
  }
  void unlock_shared() noexcept { leave(stripes_[stripe_of_thread()].holders); }

  void lock() {
    writer_.lock();
    // Whoever is queued has waited for the exclusive lock before this one, and nothing stands in his way now.
    wait_for_zero(queued_);
    exclusive_.store(1);
    for (Stripe& stripe : stripes_) wait_for_zero(stripe.holders);
  }
  bool try_lock() {
    if (!writer_.try_lock()) return false;
    if (queued_.load() != 0) {
      writer_.unlock();
      return false;
    }
    exclusive_.store(1);
    for (const Stripe& stripe : stripes_) {
      if (stripe.holders.load() == 0) continue;
      unlock();
      return false;
    }
    return true;
  }
  void unlock() noexcept {
    exclusive_.store(0);
    exclusive_.notify_all();
    writer_.unlock();
  }

 private:
  struct alignas(64) Stripe {
    std::atomic<std::uint32_t> holders = 0;
  };

  void leave(std::atomic<std::uint32_t>& holders) noexcept {
    if (holders.fetch_sub(1) == 1 && exclusive_.load() != 0) holders.notify_one();
  }
  static void wait_for_zero(const std::atomic<std::uint32_t>& count) noexcept {
    while (const std::uint32_t some = count.load()) count.wait(some);
  }

  std::array<Stripe, kStripes> stripes_;
  std::atomic<std::uint32_t> exclusive_ = 0;  // 1: the exclusive lock is held, or waited for
  std::atomic<std::uint32_t> queued_ = 0;     // shared locks that wait for exclusive_ to become 0
  std::mutex writer_;                         // whoever holds or waits for the exclusive lock
};

}  // namespace telescope::inline v1::detail
