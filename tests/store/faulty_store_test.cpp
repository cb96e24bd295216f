// The faults of a FaultyStore: each reported, counted, and no worse than told.
#include "telescope/testing/faulty_store.hpp"

#include "support/store_records.hpp"
#include "telescope/any_store.hpp"
#include "telescope/memory_store.hpp"

namespace telescope::testing {
namespace {

static_assert(Store<FaultyStore<MemoryStore&>> && BulkStore<FaultyStore<MemoryStore>>);
static_assert(!BatchReadingStore<FaultyStore<MemoryStore>> && BatchReadingStore<FaultyStore<AnyStore>>);
static_assert(!SettlingStore<FaultyStore<MemoryStore>> && SettlingStore<FaultyStore<AnyStore>>);

struct Bench {
  explicit Bench(const FaultPlan& plan) : faults(std::make_shared<Faults>(plan)) {}
  MemoryStore truth;
  std::shared_ptr<Faults> faults;
  FaultyStore<MemoryStore&> store{truth, faults};
};

std::vector<Write> ten_writes() {
  static const std::string keys = "abcdefghij";
  std::vector<Write> writes;
  for (std::size_t i = 0; i < keys.size(); ++i) writes.push_back({i, std::string_view(keys).substr(i, 1), "v"});
  return writes;
}

TEST(FaultyStore, BeforeDoesNothing) {
  Bench bench({.before = 1});
  EXPECT_EQ(bench.store.write(ten_writes()).error().code, Error::store_failed);
  EXPECT_EQ(put_meta(bench.store, "a", "b").error().code, Error::store_failed);
  EXPECT_EQ(ingest(bench.store, {{1, "a", "b"}}).error().code, Error::store_failed);
  EXPECT_EQ(bench.truth.version(), MemoryStore().version());
  std::string value;
  EXPECT_FALSE(bench.store.get({}, value).ok());
  EXPECT_FALSE(bench.store.get_meta("a", value).ok());
  EXPECT_FALSE(bench.store.scan(0, 9, [](const Record&) { return true; }).ok());
  EXPECT_EQ(bench.faults->injected(Fault::before), 6U);
  EXPECT_EQ(bench.faults->errors(), 6U);
}

TEST(FaultyStore, AfterDoesAll) {
  Bench bench({.after = 1});
  EXPECT_FALSE(bench.store.write(ten_writes()).ok());
  EXPECT_FALSE(put_meta(bench.store, "a", "b").ok());
  EXPECT_FALSE(ingest(bench.store, {{11, "a", "b"}}).ok());
  EXPECT_EQ(bench.truth.size(), 11U);
  std::string value;
  EXPECT_TRUE(bench.truth.get_meta("a", value).value());
  std::size_t shown = 0;
  EXPECT_FALSE(bench.store.scan(0, 9, [&](const Record&) { return ++shown > 0; }).ok());
  EXPECT_EQ(shown, 10U);
  EXPECT_FALSE(bench.store.get({0, "a"}, value).ok());
  EXPECT_EQ(bench.faults->injected(Fault::after), 5U);
}

TEST(FaultyStore, ATornWriteIsAPartOfItAndAnError) {
  std::size_t beginnings = 0;
  std::size_t others = 0;
  std::map<std::size_t, int> sizes;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Bench bench({.seed = seed, .torn = 1});
    ASSERT_FALSE(bench.store.write(ten_writes()).ok());
    const auto there = records_in(bench.truth);
    ASSERT_LT(there.size(), 10U);
    ++sizes[there.size()];
    ++(there.empty() || there.back().position + 1 == there.size() ? beginnings : others);
    EXPECT_EQ(bench.faults->injected(Fault::torn), 1U);
    ASSERT_FALSE(put_meta(bench.store, "a", "b").ok());
    std::string value;
    EXPECT_FALSE(bench.truth.get_meta("a", value).value());
    EXPECT_EQ(records_in(bench.store), there);  // reads cannot be torn
    EXPECT_FALSE(bench.store.write({}).ok());
  }
  EXPECT_GT(beginnings, 100U);
  EXPECT_GT(others, 100U);
  EXPECT_EQ(sizes.size(), 10U);  // 0 to 9
}

TEST(FaultyStore, AScanBreaksOffWithAnError) {
  std::map<std::size_t, int> shown_counts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Bench bench({.seed = seed, .mid_scan = 1});
    ASSERT_TRUE(bench.store.write(ten_writes()).ok());
    std::size_t shown = 0;
    ASSERT_FALSE(bench.store.scan(0, 9, [&](const Record& record) { return record.position == shown++; }).ok());
    ASSERT_LT(shown, 10U);
    ++shown_counts[shown];
    std::string value;
    EXPECT_TRUE(bench.store.get({0, "a"}, value).ok());
  }
  EXPECT_GE(shown_counts.size(), 8U);
}

TEST(FaultyStore, ACrashIsForGoodUntilRevived) {
  std::map<std::size_t, int> sizes;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Bench bench({.seed = seed, .crash_at = 3});
    ASSERT_TRUE(put(bench.store, 100, "first", "").ok());
    ASSERT_EQ(records_in(bench.store).size(), 1U);
    ASSERT_FALSE(bench.faults->crashed());
    ASSERT_FALSE(bench.store.write(ten_writes()).ok());
    ASSERT_TRUE(bench.faults->crashed());
    const auto version = bench.truth.version();
    ++sizes[bench.truth.size()];
    std::string value;
    for (int i = 0; i < 5; ++i) {
      ASSERT_FALSE(bench.store.write(ten_writes()).ok());
      ASSERT_FALSE(bench.store.get({100, "first"}, value).ok());
    }
    EXPECT_EQ(bench.truth.version(), version);
    EXPECT_EQ(bench.faults->injected(Fault::crashed), 10U);
    bench.faults->revive();
    ASSERT_TRUE(bench.store.write(ten_writes()).ok());
    EXPECT_EQ(bench.truth.size(), 11U);
  }
  EXPECT_GT(sizes[1], 10);   // nothing
  EXPECT_GT(sizes[11], 10);  // all
  EXPECT_GT(sizes.size(), 4U);
}

TEST(FaultyStore, EveryErrorIsReportedAndCounted) {
  Bench bench({.before = .1, .after = .1, .torn = .2, .mid_scan = .2, .delay = .001});
  std::uint64_t errors = 0;
  for (int i = 0; i < 20000; ++i) {
    errors += bench.store.write(ten_writes()).ok() ? 0 : 1;
    errors += bench.store.scan(0, 9, [](const Record&) { return true; }).ok() ? 0 : 1;
    std::string value;
    errors += bench.store.get({0, "a"}, value).ok() ? 0 : 1;
  }
  EXPECT_EQ(errors, bench.faults->errors());
  EXPECT_EQ(bench.faults->calls(), 60000U);
  const auto about = [&](Fault fault, double expected) {
    EXPECT_NEAR(static_cast<double>(bench.faults->injected(fault)), expected, expected / 10);
  };
  about(Fault::before, 6000);
  about(Fault::after, 6000);
  about(Fault::torn, 4000);
  about(Fault::mid_scan, 4000);
  EXPECT_GT(bench.faults->injected(Fault::delay), 20U);
}

TEST(FaultyStore, TheSameSeedFailsTheSame) {
  const auto fates = [](std::uint64_t seed) {
    Bench bench({.seed = seed, .before = .3});
    std::vector<bool> ok;
    for (int i = 0; i < 200; ++i) ok.push_back(put(bench.store, 1, "a", "b").ok());
    return ok;
  };
  EXPECT_EQ(fates(1), fates(1));
  EXPECT_NE(fates(1), fates(2));
}

TEST(FaultyStore, FaultsCanBeTurnedOffAndTheStoreTakenOut) {
  auto faults = std::make_shared<Faults>(FaultPlan{.before = 1});
  FaultyStore store(MemoryStore(), faults);
  faults->turn_off();
  EXPECT_TRUE(put(store, 1, "a", "b").ok());
  faults->turn_on();
  EXPECT_FALSE(put(store, 2, "a", "b").ok());
  faults->crash();
  faults->turn_off();
  EXPECT_EQ(records_in(store).size(), 1U);
  MemoryStore truth = std::move(store).take();
  EXPECT_EQ(truth.size(), 1U);
}

}  // namespace
}  // namespace telescope::testing
