// A guard in many hands: every thread has keys of its own and knows what must become of them.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <telescope/testing/faulty_store.hpp>
#include <thread>

#include "support/directory.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

#ifdef TELESCOPE_SANITIZED
constexpr int kEffort = 1;
#else
constexpr int kEffort = 6;
#endif
constexpr int kThreads = 3;

class GuardThreads : public ::testing::Test {
 protected:
  void create(std::uint64_t capacity, const FaultPlan& plan = {}) {
    GuardOptions options;
    options.snapshot = directory_.path() / "filter.tsnap";
    auto guard = Guard::create(FaultyStore(store_, std::make_shared<Faults>(plan)),
                               {.width = 5, .secret = kSecret, .capacity = capacity}, options);
    ASSERT_TRUE(guard.ok()) << guard.error().what;
    guard_.emplace(std::move(*guard));
  }

  // Inserts, erases and queries among keys that no other thread has; and strangers, who have to be absent.
  void work(int thread, int operations) {
    std::mt19937_64 random(static_cast<std::uint64_t>(thread));
    std::set<std::string> mine;
    for (int i = 0; i < operations; ++i) {
      const std::string key = std::to_string(thread) + "/" + std::to_string(random() % 700);
      switch (random() % 6) {
        case 0:
        case 1: {
          const auto fresh = guard_->insert(key, key);
          ASSERT_TRUE(fresh.ok()) << fresh.error().what;
          EXPECT_EQ(*fresh, mine.insert(key).second);
          break;
        }
        case 2: {
          const auto erased = guard_->erase(key);
          ASSERT_TRUE(erased.ok()) << erased.error().what;
          EXPECT_EQ(*erased, mine.erase(key) == 1);
          break;
        }
        case 3: {
          const auto stranger = guard_->contains("stranger" + std::to_string(random() % 3000));
          ASSERT_TRUE(stranger.ok()) << stranger.error().what;
          EXPECT_FALSE(*stranger);
          break;
        }
        default: {
          std::string value;
          const auto found = guard_->get(key, value);
          ASSERT_TRUE(found.ok()) << found.error().what;
          EXPECT_EQ(*found, mine.contains(key));
          EXPECT_EQ(value, *found ? key : "");
        }
      }
    }
    members_ += mine.size();
  }

  void run(int operations) {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back([this, t, operations] { work(t, operations); });
  }
  void expect_sound() { testing::expect_sound(*guard_, members_); }

  Directory directory_;
  MemoryStore store_;
  std::optional<Guard> guard_;
  std::atomic<std::uint64_t> members_ = 0;
};

TEST_F(GuardThreads, WritersAndReadersAgree) {
  create(4000);  // never grows
  run(5000 * kEffort);
  EXPECT_EQ(guard_->counters().growths, 0u);
  expect_sound();
}

TEST_F(GuardThreads, WhileTheFilterGrows) {
  create(60);
  run(5000 * kEffort);
  EXPECT_GT(guard_->counters().growths, 2u);
  expect_sound();
}

TEST_F(GuardThreads, WhileItIsSavedResizedAndVerified) {
  create(3000);
  {
    std::atomic<bool> done = false;
    std::jthread housekeeper([&] {
      for (std::uint64_t slots = 4096; !done; slots = slots == 4096 ? 64 * 100 : 4096) {
        EXPECT_TRUE(guard_->resize(slots).ok());
        EXPECT_TRUE(guard_->save().ok());
        const auto report = guard_->verify();
        ASSERT_TRUE(report.ok());
        EXPECT_TRUE(report->ok()) << report->problems.front();
        EXPECT_TRUE(guard_->rebuild().ok());
      }
    });
    run(3000 * kEffort);
    done = true;
  }
  expect_sound();
}

// The same keys for all: who inserts one first is told so, and nobody else. A slow store, so that they do meet.
TEST_F(GuardThreads, OneOfThemIsFirst) {
  create(100, {.delay = .5, .delay_up_to = std::chrono::microseconds(100)});
  constexpr int kKeys = 400;
  std::atomic<int> first = 0, last = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kKeys; ++i) first += *guard_->insert("key" + std::to_string(i)) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(first, kKeys);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kKeys; ++i) last += *guard_->erase("key" + std::to_string(i)) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(last, kKeys);
  expect_sound();
}

// What was there before anybody came stays found at every moment, growth or not.
TEST_F(GuardThreads, ReadersNeverMissAMember) {
  create(200);
  std::vector<std::string> old;
  for (int i = 0; i < 150; ++i) old.push_back("old" + std::to_string(i));
  for (const std::string& key : old) ASSERT_TRUE(guard_->insert(key).ok());
  const std::vector<std::string_view> views(old.begin(), old.end());
  std::atomic<bool> done = false;
  std::vector<std::jthread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      std::vector<std::uint8_t> present(views.size());
      while (!done) {
        ASSERT_TRUE(guard_->contains(views, present).ok());
        for (const std::uint8_t one : present) ASSERT_EQ(one, 1);
        for (const std::string& key : old) ASSERT_TRUE(*guard_->contains(key));
      }
    });
  }
  run(1500 * kEffort);
  done = true;
  readers.clear();
  members_ += old.size();
  expect_sound();
}

std::string doubtful_key(int round, int i) {
  return std::string("?").append(std::to_string(round)).append("/").append(std::to_string(i));
}

// A store that loses the acknowledgement of writes of these keys.
struct LossyStore : Borrowed<MemoryStore> {
  using Borrowed::Borrowed;
  Outcome<void> write(std::span<const Write> writes) {
    auto written = Borrowed::write(writes);
    if (writes.front().key.starts_with('?')) return Failure{Error::store_failed, "the acknowledgement is lost"};
    return written;
  }
};

TEST(GuardAttacks, TwoThreadsThatAskForOneKeyInDoubtAreBothToldThatItIsThere) {
  constexpr int kTrials = 3000 * kEffort;
  MemoryStore store;
  Guard guard = std::move(*Guard::create(LossyStore(store), {.secret = kSecret}));
  std::atomic<int> asked = -1, told = 0;
  std::vector<std::jthread> askers;
  for (int t = 0; t < 2; ++t) {
    askers.emplace_back([&] {
      for (int i = 0; i < kTrials; ++i) {
        while (asked < i) std::this_thread::yield();
        const auto there = guard.contains(doubtful_key(0, i));
        EXPECT_TRUE(there.ok() && *there) << i;
        ++told;
      }
    });
  }
  for (int i = 0; i < kTrials; ++i) {
    EXPECT_FALSE(guard.insert(doubtful_key(0, i)).ok());
    asked = i;
    while (told < 2 * (i + 1)) std::this_thread::yield();
  }
}

TEST(GuardAttacks, AReaderIsToldOfWhatEachHasShownDuringARebuildWithKeysInDoubt) {
  MemoryStore store;
  Guard guard = std::move(*Guard::create(LossyStore(store), {.secret = kSecret}));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(guard.insert("member" + std::to_string(i)).ok());
  for (int round = 0; round < 20 * kEffort; ++round) {
    std::vector<std::string> doubtful;
    for (int i = 0; i < 200; ++i) doubtful.push_back(doubtful_key(round, i));
    std::vector<Entry> entries;
    for (const std::string& key : doubtful) entries.push_back({key, {}});
    ASSERT_FALSE(guard.insert(entries).ok());
    std::atomic<bool> done = false;
    std::jthread reader([&] {
      while (!done) {
        std::vector<std::string> shown;
        EXPECT_TRUE(guard.each([&](const Entry& entry) { return shown.emplace_back(entry.key), true; }).ok());
        for (const std::string& key : shown) {
          const auto there = guard.contains(key);
          ASSERT_TRUE(there.ok() && *there) << key;
        }
      }
    });
    EXPECT_TRUE(guard.rebuild().ok());
    done = true;
  }
  expect_sound(guard, 300 + 200 * 20 * kEffort);
}

}  // namespace
}  // namespace telescope::testing
