// The locks of a guard, each by itself. Where a test waits to see that something does not happen, a slow machine
// makes it see less; it never makes it fail.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "../src/guard/key_locks.hpp"
#include "../src/guard/striped_shared_mutex.hpp"

namespace telescope::testing {
namespace {

using detail::KeyLocks;
using detail::StripedSharedMutex;
using namespace std::chrono_literals;

#ifdef TELESCOPE_SANITIZED
constexpr int kRounds = 2'000;
#else
constexpr int kRounds = 20'000;
#endif
constexpr int kChanges = 200;  // each gives up the processor, which a busy machine takes long to give back

// Whether it came to pass in a moment.
bool happens(const std::atomic<bool>& event) {
  for (int i = 0; i < 50 && !event; ++i) std::this_thread::sleep_for(1ms);
  return event;
}

// `Inner` is tried by another thread while `Outer` is held here: it has to wait until that is gone.
template <class Outer, class Inner, class Lock>
void expect_to_wait(Lock& lock) {
  std::atomic<bool> inside = false;
  std::jthread other;
  {
    const Outer held(lock);
    other = std::jthread([&] {
      const Inner inner(lock);
      inside = true;
    });
    EXPECT_FALSE(happens(inside));
  }
  other.join();
  EXPECT_TRUE(inside);
}

// Two words that only `Alone` may change: nobody who is inside sees one without the other.
template <class Shared, class Alone, class Lock>
void expect_whole_pairs(Lock& lock) {
  std::uint64_t first = 0, second = 0;
  std::atomic<std::uint64_t> torn = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kRounds; ++i) {
          const Shared inside(lock);
          if (first != second) ++torn;
        }
      });
      threads.emplace_back([&] {
        for (int i = 0; i < kChanges; ++i) {
          const Alone alone(lock);
          ++first;
          std::this_thread::yield();
          ++second;
        }
      });
    }
  }
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(first, 2u * kChanges);
  EXPECT_EQ(second, first);
}

TEST(StripedSharedMutex, Excludes) {
  using Shared = std::shared_lock<StripedSharedMutex>;
  using Alone = std::unique_lock<StripedSharedMutex>;
  StripedSharedMutex mutex;
  {
    const Shared here(mutex);
    std::jthread([&] { const Shared there(mutex); }).join();
  }
  expect_to_wait<Alone, Alone>(mutex);
  expect_to_wait<Alone, Shared>(mutex);
  expect_to_wait<Shared, Alone>(mutex);
  expect_whole_pairs<Shared, Alone>(mutex);
}

TEST(StripedSharedMutex, TryingTakesItIfItIsFreeAndLeavesItAsItWas) {
  StripedSharedMutex mutex;
  {
    const std::shared_lock here(mutex);
    std::jthread([&] {
      EXPECT_FALSE(mutex.try_lock());
      ASSERT_TRUE(mutex.try_lock_shared());
      mutex.unlock_shared();
    }).join();
  }
  ASSERT_TRUE(mutex.try_lock());
  std::jthread([&] {
    EXPECT_FALSE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock_shared());
  }).join();
  mutex.unlock();
  ASSERT_TRUE(mutex.try_lock());
  mutex.unlock();
}

// Here the mutex is shared all the time, so that who wants it alone waits. From then on one who comes later must not
// get in any more; with POSIX's mutex he would as often as he likes.
TEST(StripedSharedMutex, AWaitingWriterHoldsUpReaders) {
  constexpr int kOften = 1'000'000;
  StripedSharedMutex mutex;
  std::atomic<bool> waiting = false, alone = false, tired = false;
  std::atomic<int> entries = 0;
  std::jthread writer, reader;
  {
    const std::shared_lock here(mutex);
    writer = std::jthread([&] {
      waiting = true;
      const std::lock_guard lock(mutex);
      alone = true;
    });
    reader = std::jthread([&] {
      while (!waiting) std::this_thread::yield();
      while (!alone && entries < kOften) {
        const std::shared_lock lock(mutex);
        ++entries;
        std::this_thread::yield();
      }
      tired = true;
    });
    for (int before = -1; !tired && entries != before; std::this_thread::sleep_for(100ms)) before = entries;
  }
  writer.join();
  reader.join();
  EXPECT_LT(entries, kOften);
}

// A reader that has had to wait comes before the next exclusive lock, even if that is asked for at once. In a round in
// which the reader is slow to ask this cannot be seen.
TEST(StripedSharedMutex, ReadersThatWaitedComeBeforeTheNextWriter) {
  StripedSharedMutex mutex;
  bool seen = false;
  for (int round = 0; round < 100 && !seen; ++round) {
    bool entered = false;
    std::atomic<bool> asks = false;
    mutex.lock();
    std::jthread reader([&] {
      asks = true;
      const std::shared_lock shared(mutex);
      entered = true;
    });
    while (!asks) std::this_thread::yield();
    std::this_thread::sleep_for(5ms);
    mutex.unlock();
    mutex.lock();
    seen = entered;
    mutex.unlock();
  }
  EXPECT_TRUE(seen);
}

Hash key(std::uint64_t source) {
  Hash hash{};
  hash.fingerprint = source;
  return hash;
}

// By another thread: a mutex must not be tried by who has it.
bool is_free(KeyLocks& locks, const Hash& hash) {
  bool free = false;
  std::jthread([&] {
    free = locks.of(hash).try_lock();
    if (free) locks.of(hash).unlock();
  }).join();
  return free;
}

TEST(KeyLocks, HoldTheirKeysAndNoOthers) {
  KeyLocks locks;
  const std::vector<Hash> keys = {key(200), key(3), key(3), key(3 + KeyLocks::kClasses), key(70)};
  {
    const KeyLocks::Held held(locks, keys);
    for (const Hash& one : keys) EXPECT_FALSE(is_free(locks, one)) << one.fingerprint;
    EXPECT_TRUE(is_free(locks, key(4)));
    const KeyLocks::Held others(locks, std::vector<Hash>{key(4), key(201)});
    EXPECT_FALSE(is_free(locks, key(4)));
  }
  for (std::uint64_t i = 0; i < KeyLocks::kClasses; ++i) EXPECT_TRUE(is_free(locks, key(i))) << i;
}

TEST(KeyLocks, NobodyWaitsInACircle) {
  KeyLocks locks;
  std::uint64_t count = 0;
  {
    std::vector<std::jthread> threads;
    for (const auto& keys : {std::vector{key(1), key(2)}, {key(2), key(1)}, {key(2), key(3), key(1)}}) {
      threads.emplace_back([&locks, &count, keys] {
        for (int i = 0; i < kRounds; ++i) {
          const KeyLocks::Held held(locks, keys);
          ++count;
        }
      });
    }
  }
  EXPECT_EQ(count, 3u * kRounds);
}

}  // namespace
}  // namespace telescope::testing
