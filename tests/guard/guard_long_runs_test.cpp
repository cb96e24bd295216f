// Sets with many members at one position, as somebody can make them who knows the secret.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <vector>

#include "support/colliding_keys.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;

TEST(CollidingKeys, AreAtTheirPosition) {
  for (const Secret& secret : {kSecret, Secret{{0, 0}}, Secret{{0x123456789abcdef0, 7}}}) {
    const CollidingKeys keys(secret);
    for (const std::uint64_t position : {std::uint64_t{0}, kMiddle, std::uint64_t{12345}, ~std::uint64_t{0}}) {
      for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(Xxh3(secret)(keys(position, i)).position, position);
    }
  }
}

class LongRuns : public ::testing::Test {
 protected:
  // Inserts members first .. first + count - 1 of the position.
  void insert(Guard& guard, std::uint64_t position, std::uint64_t first, std::uint64_t count) {
    std::vector<std::string> keys;
    for (std::uint64_t i = first; i < first + count; ++i) keys.push_back(keys_(position, i));
    std::vector<Entry> entries;
    for (const std::string& key : keys) entries.push_back({key, "value"});
    const auto inserted = guard.insert(entries);
    ASSERT_TRUE(inserted.ok()) << inserted.error().what;
    ASSERT_EQ(*inserted, count);
  }
  // Asks for keys of the position that are not there.
  void ask_absent(Guard& guard, std::uint64_t position, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto found = guard.contains(keys_(position, ~i));
      ASSERT_TRUE(found.ok()) << found.error().what;
      ASSERT_FALSE(*found);
    }
  }

  MemoryStore store_;
  const CollidingKeys keys_{kSecret};
};

// The run of a query is scanned up to a limit. Beyond it the store's answer stands, and nothing is fetched.
TEST_F(LongRuns, AreNotFetchedToAdapt) {
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{999}, std::uint64_t{1000}}) {
    store_ = {};
    Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 4000}, {.max_adapt_run = limit});
    insert(guard, kMiddle, 0, 1000);
    ask_absent(guard, kMiddle, 200);
    const GuardCounters counters = guard.counters();
    EXPECT_GT(counters.false_positives, 150u);  // each asks for one of 1,000 remainders of 8 bits
    EXPECT_EQ(counters.store_errors, 0u);
    if (limit == 999) {
      EXPECT_EQ(counters.adapts_too_long, counters.false_positives);
      EXPECT_EQ(counters.scans, 0u);
      EXPECT_EQ(counters.adapts, 0u);
    } else {
      EXPECT_EQ(counters.adapts_too_long, 0u);
      EXPECT_GE(counters.scans, counters.false_positives);
      EXPECT_GT(counters.adapts, 0u);
    }
    const std::string absent = keys_(kMiddle, 5000);
    const std::string_view negatives[] = {absent};
    EXPECT_TRUE(guard.preload_negatives(negatives).ok());
    EXPECT_NE(
        to_prometheus(counters, guard.info()).find("adapts_too_long_total " + std::to_string(counters.adapts_too_long)),
        std::string::npos);
    expect_sound(guard, 1000);
  }
}

// Unless told, the guard adapts in runs of up to 512 members.
TEST_F(LongRuns, OfFiveHundredMembersAreRepaired) {
  Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 4000});
  insert(guard, kMiddle, 0, 512);
  ask_absent(guard, kMiddle, 40);
  EXPECT_GT(guard.counters().adapts, 0u);
  EXPECT_EQ(guard.counters().adapts_too_long, 0u);
  for (std::uint64_t i = 0; i < 512; ++i) ASSERT_TRUE(*guard.contains(keys_(kMiddle, i)));
  insert(guard, kMiddle, 512, 1);
  const std::uint64_t scans = guard.counters().scans;
  ask_absent(guard, kMiddle, 40);
  EXPECT_GT(guard.counters().adapts_too_long, 0u);
  EXPECT_EQ(guard.counters().scans, scans);
  expect_sound(guard, 513);
}

// What is no query has to know the members, however many they are.
TEST_F(LongRuns, AreErasedAndResized) {
  Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 4000}, {.max_adapt_run = 10});
  insert(guard, kMiddle, 0, 9);
  ask_absent(guard, kMiddle, 100);  // so that there are letters
  insert(guard, kMiddle, 9, 991);
  ASSERT_TRUE(guard.resize(64 * 100).ok());
  for (std::uint64_t i = 0; i < 1000; i += 2) ASSERT_TRUE(*guard.erase(keys_(kMiddle, i)));
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(*guard.contains(keys_(kMiddle, i)), i % 2 == 1);
  EXPECT_EQ(guard.counters().store_errors, 0u);
  expect_sound(guard, 500);
}

// Records that the filter does not know, at the end of a long run.
TEST_F(LongRuns, AreVerifiedToTheEnd) {
  Guard guard = make_guard(store_, {.width = 32, .secret = kSecret, .capacity = 4000});
  insert(guard, kMiddle, 0, 1500);
  expect_sound(guard, 1500);
  for (std::uint64_t i = 2000; i < 2100; ++i) {
    const std::string key = keys_(kMiddle, i);
    const Write write{kMiddle, key, ""};
    ASSERT_TRUE(store_.write({&write, 1}).ok());
  }
  const auto report = guard.verify();
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->ok());
  EXPECT_EQ(report->lost, 100u);
  EXPECT_EQ(report->members, 1600u);
}

// Counts the bytes that are taken at any moment.
class CountedMemory : public std::pmr::memory_resource {
 public:
  std::size_t most() const { return most_; }

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    most_ = std::max(most_, taken_ += size);
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* at, std::size_t size, std::size_t alignment) override {
    taken_ -= size;
    std::pmr::new_delete_resource()->deallocate(at, size, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::size_t taken_ = 0, most_ = 0;
};

// A set whose members are all at one position takes the memory of one whose members are anywhere, wherever that
// position is: when it is opened without a snapshot, and more members are there than it was made for, and then at work.
TEST_F(LongRuns, TakeNoMoreMemoryToOpen) {
  constexpr std::uint64_t kMembers = 100'000;
  std::size_t usual = 0;
  for (const std::uint64_t position : {std::uint64_t{1}, std::uint64_t{0}, kMiddle, ~std::uint64_t{0}}) {
    const auto position_of = [&](std::uint64_t i) { return position == 1 ? i * 0x9e3779b97f4a7c15 : position; };
    store_ = {};
    { const Guard guard = make_guard(store_, {.secret = kSecret, .capacity = 1000}); }
    for (std::uint64_t i = 0; i < kMembers; ++i) {
      const std::string key = keys_(position_of(i), i);
      const Write write{position_of(i), key, ""};
      ASSERT_TRUE(store_.write({&write, 1}).ok());
    }
    CountedMemory memory;
    std::uint64_t reports = 0;
    const auto report = [&](const RebuildProgress& progress) { reports += progress.members > 0 ? 1 : 0; };
    Guard guard = reopen_guard(store_, {.max_adapt_run = 0, .memory = &memory, .progress = report});
    EXPECT_GT(reports, 0u);
    if (position == 1) usual = memory.most();
    EXPECT_EQ(memory.most(), usual) << position;
    for (std::uint64_t i = 0; i < kMembers; i += 1000) ASSERT_TRUE(*guard.contains(keys_(position_of(i), i)));
    if (position == 1) continue;

    ask_absent(guard, position, 3);
    const GuardCounters counters = guard.counters();
    EXPECT_EQ(counters.false_positives, 3u);
    EXPECT_EQ(counters.adapts_too_long, 0u);
    EXPECT_LE(counters.scans, 6u);  // of the run, once for each, and perhaps of runs that lost letters
    ASSERT_TRUE(*guard.erase(keys_(position, 7)));
    ASSERT_TRUE(guard.rebuild().ok());
    ASSERT_TRUE(guard.resize(64 * 4000).ok());
    for (std::uint64_t i = 0; i < kMembers; i += 1000) ASSERT_TRUE(*guard.contains(keys_(position, i)));
    expect_sound(guard, kMembers - 1);
  }
}

}  // namespace
}  // namespace telescope::testing
