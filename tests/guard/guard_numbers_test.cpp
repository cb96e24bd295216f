// The numbers of a guard: when it grows, what it counts, what it reports and which options it takes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory_resource>
#include <new>
#include <string>
#include <telescope/testing/faulty_store.hpp>
#include <vector>

#include "../src/guard/remembered.hpp"
#include "support/directory.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

std::vector<std::string> names(const std::string& name, int from, int to) {
  std::vector<std::string> keys;
  for (int i = from; i < to; ++i) keys.push_back(name + std::to_string(i));
  return keys;
}
std::vector<std::string_view> views(const std::vector<std::string>& keys) { return {keys.begin(), keys.end()}; }
void insert_all(Guard& guard, const std::vector<std::string>& keys) {
  std::vector<Entry> entries;
  for (const std::string& key : keys) entries.push_back({key, {}});
  const auto inserted = guard.insert(entries);
  ASSERT_TRUE(inserted.ok()) << inserted.error().what;
}

TEST(GuardNumbers, ItGrowsWithTheInsertThatWouldPassTheLoad) {
  for (const double load : {0.5, 0.95}) {
    MemoryStore store;
    Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000}, {.max_load = load});
    const auto room = static_cast<std::uint64_t>(load * static_cast<double>(guard.info().slots));
    EXPECT_EQ(guard.info().set.capacity, room);
    EXPECT_GE(room, 1000u);
    for (std::uint64_t i = 0; i < room; ++i) ASSERT_TRUE(guard.insert("key" + std::to_string(i)).ok());
    EXPECT_EQ(guard.counters().growths, 0u);
    ASSERT_TRUE(guard.insert("one more").ok());
    EXPECT_EQ(guard.counters().growths, 1u);
    expect_sound(guard, room + 1);
  }
}

TEST(GuardNumbers, ABatchNeedsRoomForAllOfIt) {
  for (const int more : {0, 1}) {
    MemoryStore store;
    Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
    const auto room = static_cast<int>(0.95 * static_cast<double>(guard.info().slots));
    insert_all(guard, names("key", 0, 500));
    EXPECT_EQ(guard.counters().growths, 0u);
    insert_all(guard, names("key", 500, room + more));
    EXPECT_EQ(guard.counters().growths, more == 0 ? 0u : 1u);
    // A batch of many times the slots grows to where they have room, in one growth.
    const std::uint64_t before = guard.counters().growths;
    insert_all(guard, names("other", 0, 8000));
    EXPECT_LE(guard.counters().growths - before, 2u);
    EXPECT_LE(guard.info().load, 0.95);
  }
}

TEST(GuardNumbers, GrowthEndsAndTheBytesAreThoseOfTheFilter) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
  const auto bytes = [&] { return guard.info().slots / 64 * 88; };  // of its blocks
  EXPECT_GE(guard.info().filter_bytes, bytes());
  EXPECT_LT(guard.info().filter_bytes, 2 * bytes() + 4096);
  unsigned growing = 0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(guard.insert("key" + std::to_string(i)).ok());
    growing += guard.info().growing;
  }
  EXPECT_GT(growing, 0u);
  EXPECT_LT(growing, 2500u);
  const GuardInfo info = guard.info();
  EXPECT_EQ(info.load, static_cast<double>(info.members) / static_cast<double>(info.slots));
  EXPECT_FALSE(guard.info().growing);
  EXPECT_GE(guard.info().filter_bytes, bytes());
  // A resize or a rebuild ends a growth that is under way.
  for (const bool rebuild : {false, true}) {
    for (int i = 0; !guard.info().growing; ++i) ASSERT_TRUE(guard.insert("other" + std::to_string(i)).ok());
    ASSERT_TRUE((rebuild ? guard.rebuild() : guard.resize(2 * guard.info().slots)).ok());
    EXPECT_FALSE(guard.info().growing);
    if (!rebuild) {
      ASSERT_TRUE(guard.resize(64 * (guard.info().members / 60)).ok());
    }
  }
  expect_sound(guard, guard.info().members);
}

TEST(GuardNumbers, PreloadingNothingRepairsNothing) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 100});
  ASSERT_TRUE(guard.insert("member").ok());
  const std::vector<std::string_view> keys = {"member"};
  EXPECT_EQ(*guard.preload_negatives({}), 0u);
  EXPECT_EQ(*guard.preload_negatives(keys), 0u);
}

// More members than the load allows, though they would fit.
TEST(GuardNumbers, AFullStoreIsOpenedWithRoom) {
  MemoryStore store;
  std::uint64_t slots = 0;
  {
    Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
    slots = guard.info().slots;
    ASSERT_TRUE(guard.close().ok());
  }
  for (const std::string& key : names("member", 0, static_cast<int>(slots) - 10)) {
    const Write write{Xxh3(kSecret)(std::string_view(key)).position, key, ""};
    ASSERT_TRUE(store.write({&write, 1}).ok());
  }
  Guard guard = reopen_guard(store);
  EXPECT_LE(guard.info().load, 0.95);
  expect_sound(guard, slots - 10);
}

TEST(GuardNumbers, EachShowsTheFirstAndTheLastPosition) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 100});
  const std::array<Write, 2> writes = {{{0, "first", ""}, {~std::uint64_t{0}, "last", ""}}};
  ASSERT_TRUE(store.write(writes).ok());
  std::vector<std::string> shown;
  ASSERT_TRUE(guard.each([&](const Entry& entry) { return shown.emplace_back(entry.key), true; }).ok());
  EXPECT_EQ(shown, (std::vector<std::string>{"first", "last"}));
}

TEST(GuardNumbers, ABatchNeverPassesTheLoad) {
  for (int size = 100; size < 1500; size += 37) {
    MemoryStore store;
    Guard guard = make_guard(store, {.secret = kSecret, .capacity = 50});
    insert_all(guard, names("key", 0, size));
    ASSERT_LE(guard.info().load, 0.95) << size;
    ASSERT_GT(guard.info().load, 0.95 / 2.5) << size;
  }
}

TEST(GuardNumbers, BatchesAreCountedAsSinglesAre) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 4000});
  insert_all(guard, names("member", 0, 3900));
  const GuardCounters start = guard.counters();
  EXPECT_EQ(start.writes, 3900u);
  std::vector<std::string> keys = names("member", 0, 1000);
  for (const std::string& stranger : names("stranger", 0, 4000)) keys.push_back(stranger);
  std::vector<std::uint8_t> present(keys.size());
  ASSERT_TRUE(guard.contains(views(keys), present).ok());
  const GuardCounters counters = guard.counters();
  EXPECT_EQ(counters.queries, 5000u);
  EXPECT_EQ(counters.true_positives, 1000u);
  EXPECT_EQ(counters.filter_negatives + counters.false_positives, 4000u);
  EXPECT_EQ(counters.store_reads - start.store_reads, counters.true_positives + counters.false_positives);
}

TEST(GuardNumbers, AVerifyReportsTenProblemsAndTheCount) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
  insert_all(guard, names("member", 0, 100));
  const Xxh3 hash(kSecret);
  const auto astray = [&](const std::string& key) {
    const Write write{hash(std::string_view(key)).position + 1, key, ""};
    ASSERT_TRUE(store.write({&write, 1}).ok());
  };
  astray(std::string("a \"\\\x01\x1f\x7f~\xe9"));
  auto report = guard.verify();
  ASSERT_TRUE(report.ok());
  ASSERT_GE(report->problems.size(), 2u);
  EXPECT_EQ(report->problems.front(), R"(the record of "a \x22\x5c\x01\x1f\x7f~\xe9" is not at its key's position)");
  EXPECT_EQ(report->problems.back(), "the store holds 101 members, the filter 100");
  EXPECT_EQ(report->lost, 0u);
  for (int i = 0; i < 20; ++i) astray("astray" + std::to_string(i));
  report = guard.verify();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->problems.size(), 11u);
  EXPECT_EQ(report->members, 121u);
  EXPECT_EQ(report->slots_used, 100u);
}

TEST(GuardNumbers, LongKeysAreCutOffInReports) {
  for (const std::size_t length : {64u, 65u}) {
    MemoryStore store;
    Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
    const std::string key(length, 'x');
    const Write write{Xxh3(kSecret)(std::string_view(key)).position + 1, key, ""};
    ASSERT_TRUE(store.write({&write, 1}).ok());
    const auto report = guard.verify();
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->problems.front(), "the record of \"" + std::string(64, 'x') + (length > 64 ? "\"..." : "\"") +
                                            " is not at its key's position");
  }
}

TEST(GuardNumbers, OptionsHaveBounds) {
  const auto code = [](const SetOptions& set, const GuardOptions& options) -> Error {
    MemoryStore store;
    auto guard = Guard::create(Borrowed(store), set, options);
    return guard ? Error{} : guard.error().code;
  };
  for (const double growth : {1.01, 2.0, 16.0}) EXPECT_NE(code({}, {.growth = growth}), Error::bad_argument);
  for (const double growth : {0.0, 1.0, 16.01}) EXPECT_EQ(code({}, {.growth = growth}), Error::bad_argument);
  for (const double load : {0.01, 0.99}) {
    EXPECT_NE(code({.capacity = 10}, {.max_load = load}), Error::bad_argument);
  }
  for (const double load : {0.0, 1.0}) EXPECT_EQ(code({.capacity = 10}, {.max_load = load}), Error::bad_argument);
  for (const double number : {0.0, 0.5, 1e9}) {
    EXPECT_NE(code({.capacity = 10}, {.adapts_per_second = number}), Error::bad_argument);
    EXPECT_NE(code({.capacity = 10}, {.adapt_burst = number}), Error::bad_argument);
  }
  for (const double number : {-0.5, std::nan("")}) {
    EXPECT_EQ(code({.capacity = 10}, {.adapts_per_second = number}), Error::bad_argument);
    EXPECT_EQ(code({.capacity = 10}, {.adapt_burst = number}), Error::bad_argument);
  }
  for (const unsigned width : {4u, 32u}) EXPECT_NE(code({.width = width}, {}), Error::bad_argument);
  for (const unsigned width : {3u, 33u}) EXPECT_EQ(code({.width = width}, {}), Error::bad_argument);
}

// Whether the write that failed was done or not, a batch asks the store.
TEST(GuardNumbers, ABatchAsksTheStoreForKeysInDoubt) {
  for (const bool done : {false, true}) {
    MemoryStore store;
    const auto faults = std::make_shared<Faults>(done ? FaultPlan{.after = 1} : FaultPlan{.before = 1});
    faults->turn_off();
    auto guard = Guard::create(FaultyStore(store, faults), {.secret = kSecret, .capacity = 100});
    ASSERT_TRUE(guard.ok());
    ASSERT_TRUE(guard->insert("member").ok());
    faults->turn_on();
    EXPECT_FALSE(guard->insert("doubtful").ok());
    faults->turn_off();
    const std::array<std::string_view, 3> keys = {"member", "doubtful", "stranger"};
    std::array<std::uint8_t, 3> present{};
    ASSERT_TRUE(guard->contains(keys, present).ok());
    EXPECT_EQ(present, (std::array<std::uint8_t, 3>{1, done, 0}));
    EXPECT_EQ(guard->counters().doubts, 0u);
  }
}

// The first scan meets more members than the filter has room for, and counts them. A second one makes the filter, with
// an eighth to spare.
TEST(GuardNumbers, AFilterMadeFromTheStoreHasRoom) {
  MemoryStore store;
  {
    Guard small = make_guard(store, {.secret = kSecret, .capacity = 10000});
    ASSERT_TRUE(small.close().ok());
  }
  for (const std::string& key : names("member", 0, 100000)) {
    const Write write{Xxh3(kSecret)(std::string_view(key)).position, key, ""};
    ASSERT_TRUE(store.write({&write, 1}).ok());
  }
  std::vector<RebuildProgress> reports;
  Guard guard = reopen_guard(store, {.progress = [&](const RebuildProgress& report) { reports.push_back(report); }});
  EXPECT_EQ(guard.info().members, 100000u);
  EXPECT_GT(guard.info().load, 0.95 / 1.15);
  EXPECT_LT(guard.info().load, 0.95 / 1.05);
  ASSERT_EQ(reports.size(), 2u);
  for (const RebuildProgress& report : reports) {
    EXPECT_EQ(report.members, 65536u);
    EXPECT_NEAR(report.done, 0.65536, 0.01);
    EXPECT_NEAR(static_cast<double>(report.expected), 100000, 2000);
  }
  // A verify reports by quotients.
  reports.clear();
  ASSERT_TRUE(guard.verify().ok());
  EXPECT_EQ(reports.size(), (guard.info().slots + 4095) / 4096);
  EXPECT_EQ(reports.back().members, 100000u);
  EXPECT_EQ(reports.back().done, 1.0);
}

TEST(GuardNumbers, AWriteResolvesOneDoubtMoreThanItMayLeave) {
  MemoryStore store;
  const auto faults = std::make_shared<Faults>(FaultPlan{.before = 1});
  faults->turn_off();
  auto guard = Guard::create(FaultyStore(store, faults), {.secret = kSecret, .capacity = 1000});
  ASSERT_TRUE(guard.ok());
  insert_all(*guard, names("member", 0, 10));
  faults->turn_on();
  const std::vector<std::string> keys = names("doubtful", 0, 20);
  std::vector<Entry> entries;
  for (const std::string& key : keys) entries.push_back({key, {}});
  EXPECT_FALSE(guard->insert(entries).ok());
  faults->turn_off();
  EXPECT_EQ(guard->counters().doubts, 20u);
  ASSERT_TRUE(guard->insert("fresh").ok());
  EXPECT_EQ(guard->counters().doubts, 18u);
  ASSERT_TRUE(guard->erase("fresh").ok());
  EXPECT_EQ(guard->counters().doubts, 16u);
  const std::vector<std::string> three = names("fresh", 0, 3);
  insert_all(*guard, three);
  EXPECT_EQ(guard->counters().doubts, 12u);
  EXPECT_EQ(*guard->erase(views(three)), 3u);
  EXPECT_EQ(guard->counters().doubts, 8u);
  expect_sound(*guard, 10);
  EXPECT_EQ(guard->counters().doubts, 0u);
}

// Gives memory until it is told not to.
class Exhausted final : public std::pmr::memory_resource {
 public:
  bool empty = false;
  unsigned refused = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    refused += empty;
    if (empty) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(GuardNumbers, WithoutMemoryItFillsUpAndTriesToGrowNowAndThen) {
  Exhausted memory;
  MemoryStore store;
  // An rsqf asks for no memory but to grow.
  Guard guard = make_guard(store, {.filter = FilterKind::rsqf, .secret = kSecret, .capacity = 4000},
                           {.max_load = 0.8, .memory = &memory});
  const std::uint64_t slots = guard.info().slots;
  memory.empty = true;
  for (std::uint64_t i = 0; i < slots; ++i) ASSERT_TRUE(guard.insert("key" + std::to_string(i)).ok()) << i;
  EXPECT_EQ(guard.info().members, slots);
  EXPECT_GT(memory.refused, 10u);
  EXPECT_LT(memory.refused, 200u) << "it tries with every insert";
  EXPECT_EQ(guard.insert("one more").error().code, Error::no_memory);
  EXPECT_EQ(guard.counters().growths, 0u);
  memory.empty = false;
  // The store has it: the next write settles that.
  ASSERT_TRUE(guard.insert("another").ok());
  EXPECT_EQ(guard.counters().growths, 1u);
  expect_sound(guard, slots + 2);
}

TEST(GuardNumbers, ASaveThatFailedIsDoneAgain) {
  Directory directory;
  MemoryStore store;
  const auto place = directory.path() / "later";
  Guard guard = make_guard(store, {.capacity = 100}, {.snapshot = place / "filter.tsnap"});
  ASSERT_TRUE(guard.insert("key").ok());
  EXPECT_EQ(guard.save().error().code, Error::io_failed);
  std::filesystem::create_directory(place);
  ASSERT_TRUE(guard.save().ok());
  EXPECT_TRUE(std::filesystem::exists(place / "filter.tsnap"));
}

TEST(GuardNumbers, StatesHaveNamesThatNobodyGuesses) {
  std::vector<std::string> states;
  for (int i = 0; i < 2; ++i) {
    Directory directory;
    MemoryStore store;
    Guard guard = make_guard(store, {.capacity = 100}, {.snapshot = directory.path() / "filter.tsnap"});
    ASSERT_TRUE(guard.save().ok());
    std::string state;
    ASSERT_TRUE(*store.get_meta("state", state));
    ASSERT_EQ(state.size(), 32u);
    EXPECT_EQ(state.find_first_not_of("0123456789abcdef"), std::string::npos);
    states.push_back(state.substr(0, 16));
    states.push_back(state.substr(16));
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(states[i], states[j]);
  }
}

TEST(Remembered, TellsRepeats) {
  detail::Remembered none(0), some(16);
  const Hash a{3, 0}, b{3, 5}, c{4, 5};
  EXPECT_FALSE(none.repeats(a));
  EXPECT_FALSE(none.repeats(a));
  EXPECT_FALSE(some.repeats(a)) << "an empty place is not the fingerprint 0";
  EXPECT_TRUE(some.repeats(a));
  EXPECT_FALSE(some.repeats(c)) << "another place";
  EXPECT_FALSE(some.repeats(b)) << "overwrites a";
  EXPECT_TRUE(some.repeats(b));
  EXPECT_FALSE(some.repeats(a));
  EXPECT_TRUE(some.repeats(c));
}

}  // namespace
}  // namespace telescope::testing
