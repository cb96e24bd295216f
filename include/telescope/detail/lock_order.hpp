// The order in which one thread may take the locks of a guard and of a concurrent filter. What each of them protects is
// in docs/guard.md.
//
// A build with TELESCOPE_CHECK_LOCKS asserts the order whenever a thread takes a lock, and a test may decide which
// thread goes on (LockHook). In any other build Ranked<Mutex, rank> is Mutex.
#pragma once

#include <cassert>
#include <mutex>

#ifdef TELESCOPE_CHECK_LOCKS
#include <array>
#include <cstddef>
#endif

namespace telescope::inline v1::detail {

// A thread that holds a lock may take one of the same rank or of a later one; a lock that it only tries may be any.
// Locks of the same rank have an order of their own: keys by class, regions by block.
enum class LockRank : unsigned char { writes, keys, state, resize, readers, regions, pending_writes, rate_limit };

#ifdef TELESCOPE_CHECK_LOCKS

// What a test may put in the way of its threads.
struct LockHook {
  virtual ~LockHook() = default;
  virtual void point() = 0;                    // before a lock is taken, and after it is released
  virtual void blocked(const void* lock) = 0;  // another thread has it: returns when it may be free
  virtual void released(const void* lock) = 0;
};
inline thread_local LockHook* lock_hook = nullptr;
inline thread_local std::array<unsigned, 8> locks_held{};  // by rank

template <class Mutex, LockRank rank>
class Ranked {
 public:
  void lock() {
    take([&] { return mutex_.try_lock(); }, [&] { mutex_.lock(); });
  }
  bool try_lock() { return tried(mutex_.try_lock()); }
  void unlock() {
    release([&] { mutex_.unlock(); });
  }
  void lock_shared() {
    take([&] { return mutex_.try_lock_shared(); }, [&] { mutex_.lock_shared(); });
  }
  bool try_lock_shared() { return tried(mutex_.try_lock_shared()); }
  void unlock_shared() {
    release([&] { mutex_.unlock_shared(); });
  }

 private:
  static constexpr auto kRank = static_cast<std::size_t>(rank);

  template <class Try, class Wait>
  void take(Try try_it, Wait wait) {
    for (std::size_t later = kRank + 1; later < locks_held.size(); ++later) assert(locks_held[later] == 0);
    if (lock_hook == nullptr) {
      wait();
    } else {
      lock_hook->point();
      while (!try_it()) lock_hook->blocked(this);
    }
    ++locks_held[kRank];
  }
  static bool tried(bool locked) noexcept {
    locks_held[kRank] += locked ? 1 : 0;
    return locked;
  }
  template <class Release>
  void release(Release release_it) {
    --locks_held[kRank];
    release_it();
    if (lock_hook == nullptr) return;
    lock_hook->released(this);
    lock_hook->point();
  }

  Mutex mutex_;
};

#else

template <class Mutex, LockRank>
using Ranked = Mutex;

#endif

template <LockRank rank>
using RankedMutex = Ranked<std::mutex, rank>;

}  // namespace telescope::inline v1::detail
