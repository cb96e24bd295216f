// Two shared mutexes, for use with std::shared_lock and std::lock_guard. Both prefer writers: a waiting exclusive lock
// holds up the shared ones that come after it. (glibc's rwlock prefers readers, who can starve a writer for ever.)
//
//   StripedSharedMutex      waits by yielding; a shared lock costs two writes to a cache line that few threads share.
//                           For sections that take a moment and do no I/O.
//   WriterPreferringMutex   waits in the kernel. For sections that wait for a store.
//
// They are two because a reader that may have to wake a writer in the kernel must look whether one waits on its way
// out, which every query would pay for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "stripe.hpp"

namespace telescope::inline v1::detail {

// Readers count themselves in and out, each on the stripe of its thread, and look whether a writer is there. A writer
// says so, then waits until all counts are zero. Both use sequential consistency: a reader that has not seen
// `exclusive_` has been counted.
class StripedSharedMutex {
 public:
  void lock_shared() noexcept {
    std::atomic<std::uint32_t>& readers = stripes_[stripe_of_thread()].readers;
    for (;;) {
      readers.fetch_add(1);
      if (!exclusive_.load()) return;
      readers.fetch_sub(1);
      while (exclusive_.load()) std::this_thread::yield();
    }
  }
  void unlock_shared() noexcept { stripes_[stripe_of_thread()].readers.fetch_sub(1, std::memory_order_release); }

  void lock() {
    writer_.lock();
    exclusive_.store(true);
    for (const Stripe& stripe : stripes_) {
      while (stripe.readers.load() != 0) std::this_thread::yield();
    }
  }
  void unlock() noexcept {
    exclusive_.store(false);
    writer_.unlock();
  }

 private:
  struct alignas(64) Stripe {
    std::atomic<std::uint32_t> readers = 0;
  };

  std::array<Stripe, kStripes> stripes_;
  std::atomic<bool> exclusive_ = false;
  std::mutex writer_;  // one at a time
};

class WriterPreferringMutex {
 public:
  void lock_shared() {
    const std::lock_guard queued(queue_);
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

  void lock() {
    const std::lock_guard queued(queue_);
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex queue_;  // whoever waits for mutex_ holds it
  std::shared_mutex mutex_;
};

}  // namespace telescope::inline v1::detail
