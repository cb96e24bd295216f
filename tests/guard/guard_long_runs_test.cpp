// Keys that all have one position, as somebody makes them who knows the secret: no answer is wrong, and no query, no
// opening and no rebuild costs more than it would for other keys, but for what is said in docs/guard.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>

#include "support/guards.hpp"
#include "support/same_position.hpp"

namespace telescope::testing {
namespace {

#ifdef TELESCOPE_SANITIZED
constexpr std::uint64_t kMembers = 4000;
#else
constexpr std::uint64_t kMembers = 20000;
#endif

// Counts the records that scans show.
struct CountingStore : Borrowed<MemoryStore> {
  CountingStore(MemoryStore& store, std::uint64_t& shown) : Borrowed(store), shown_(&shown) {}
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return Borrowed::scan(first, last, [&](const Record& record) { return ++*shown_, sink(record); });
  }

 private:
  std::uint64_t* shown_;
};

// What is out at most at any time.
class Peak final : public std::pmr::memory_resource {
 public:
  std::size_t most = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    most = std::max(most, held_ += bytes);
    return ::operator new (bytes, std::align_val_t{alignment});
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    held_ -= bytes;
    ::operator delete (memory, std::align_val_t{alignment});
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  std::size_t held_ = 0;
};

std::string crafted(std::uint64_t i) { return key_at_one_position(i, kSecret); }
std::string ordinary(std::uint64_t i) { return "member" + std::to_string(i); }

// A store with so many members that nobody has inserted through a guard.
MemoryStore filled(std::uint64_t members, std::string (*name)(std::uint64_t)) {
  MemoryStore store;
  (void)make_guard(store, {.secret = kSecret, .capacity = 100});
  for (std::uint64_t i = 0; i < members; ++i) {
    const std::string key = name(i);
    const Write write{Xxh3(kSecret)(std::string_view(key)).position, key, ""};
    EXPECT_TRUE(store.write({&write, 1}).ok());
  }
  return store;
}

TEST(GuardLongRuns, TheKeysHaveOnePosition) {
  const Xxh3 hash(kSecret);
  for (std::uint64_t i = 1; i < 100; ++i) {
    EXPECT_EQ(hash(std::string_view(crafted(i))).position, hash(std::string_view(crafted(0))).position);
    EXPECT_NE(hash(std::string_view(crafted(i))).fingerprint, hash(std::string_view(crafted(0))).fingerprint);
  }
}

TEST(GuardLongRuns, AQueryReadsNoMoreThanItsShare) {
  MemoryStore store = filled(kMembers, crafted);
  std::uint64_t shown = 0;
  Guard guard = std::move(*Guard::open(CountingStore(store, shown)));
  constexpr std::uint64_t kQueries = 20;
  shown = 0;
  for (std::uint64_t i = kMembers; i < kMembers + kQueries; ++i) EXPECT_FALSE(*guard.contains(crafted(i)));
  EXPECT_LE(shown, kQueries * 513);
  const GuardCounters counters = guard.counters();
  EXPECT_GE(counters.false_positives, kQueries / 2);
  EXPECT_EQ(counters.adapts_withheld, counters.false_positives);
  EXPECT_EQ(counters.store_errors, 0u);
  for (std::uint64_t i = 0; i < kMembers; ++i) ASSERT_TRUE(*guard.contains(crafted(i))) << i;
}

// Below that it adapts, in a run that is long all the same.
TEST(GuardLongRuns, ARunOfFiveHundredMembersIsRepaired) {
  MemoryStore store = filled(500, crafted);
  Guard guard = reopen_guard(store);
  for (std::uint64_t i = 500; i < 540; ++i) EXPECT_FALSE(*guard.contains(crafted(i)));
  EXPECT_EQ(guard.counters().adapts_withheld, 0u);
  EXPECT_GT(guard.counters().scans, 0u);
  for (std::uint64_t i = 0; i < 500; ++i) ASSERT_TRUE(*guard.contains(crafted(i))) << i;
  expect_sound(guard, 500);
}

TEST(GuardLongRuns, OpeningTakesTheMemoryOfAnOrdinarySet) {
  const auto peak_of = [](std::string (*name)(std::uint64_t)) {
    Peak peak;
    MemoryStore store = filled(5 * kMembers, name);
    const Guard guard = reopen_guard(store, {.memory = &peak});
    EXPECT_EQ(guard.info().members, 5 * kMembers);
    return peak.most;
  };
  EXPECT_LE(peak_of(crafted), peak_of(ordinary) * 3 / 2);
}

TEST(GuardLongRuns, WritesRebuildAndResizeGoOn) {
  MemoryStore store = filled(kMembers, crafted);
  Guard guard = reopen_guard(store);
  EXPECT_TRUE(*guard.erase(crafted(7)));
  EXPECT_FALSE(*guard.contains(crafted(7)));
  EXPECT_TRUE(*guard.insert(crafted(kMembers)));
  ASSERT_TRUE(guard.rebuild().ok());
  ASSERT_TRUE(guard.resize(2 * guard.info().slots).ok());
  expect_sound(guard, kMembers);
}

}  // namespace
}  // namespace telescope::testing
