// What a verify finds when the store has changed behind the guard's back, and what it leaves alone.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <telescope/filter.hpp>

#include "support/failing_allocations.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

class Verify : public ::testing::TestWithParam<FilterKind> {
 protected:
  void put(std::string_view key) {
    const Write write{position(key), key, ""};
    ASSERT_TRUE(store_.write({&write, 1}).ok());
  }
  void remove(std::string_view key) {
    const Write write{position(key), key, std::nullopt};
    ASSERT_TRUE(store_.write({&write, 1}).ok());
  }
  static Hash hash(std::string_view key) { return Xxh3(kSecret)(key); }
  static std::uint64_t position(std::string_view key) { return hash(key).position; }
  static std::uint64_t quotient(std::string_view key, std::uint64_t slots) {
    return detail::bits::multiply_high(position(key), slots);
  }
  static std::uint64_t remainder(std::string_view key) { return hash(key).fingerprint & 0xff; }

  MemoryStore store_;
};

// A member gives way to another one of the same quotient, which the filter takes for a third: the numbers agree, no
// member is called absent, and yet these are not the members of the run.
TEST_P(Verify, FindsARunWithOtherMembers) {
  Guard guard = make_guard(store_, {.filter = GetParam(), .secret = kSecret, .capacity = 100});
  const std::uint64_t slots = guard.info().slots;
  std::map<std::uint64_t, std::string> by_quotient;
  std::string kept, removed;
  for (int i = 0; i < 50; ++i) {
    const std::string key = "key" + std::to_string(i);
    ASSERT_TRUE(guard.insert(key).ok());
    const auto [there, fresh] = by_quotient.emplace(quotient(key, slots), key);
    if (!fresh && remainder(key) != remainder(there->second)) kept = there->second, removed = key;
  }
  ASSERT_FALSE(removed.empty());
  std::string other;
  for (int i = 0; other.empty(); ++i) {
    const std::string key = "other" + std::to_string(i);
    if (quotient(key, slots) == quotient(kept, slots) && remainder(key) == remainder(kept)) other = key;
  }
  remove(removed);
  put(other);
  const auto report = guard.verify();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->members, report->slots_used);
  EXPECT_EQ(report->lost, 0u);
  ASSERT_EQ(report->problems.size(), 1u);
  EXPECT_EQ(report->problems.front(),
            "quotients 0 to " + std::to_string(slots - 1) + ": " + std::string(message(Error::disagree)));
}

// Without memory it cannot tell, and that is no problem of the set.
TEST_P(Verify, WithoutMemoryIsAnError) {
  Guard guard = make_guard(store_, {.filter = GetParam(), .secret = kSecret, .capacity = 1000});
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(guard.insert("key" + std::to_string(i)).ok());
  unsigned refused = 0;
  for (long enough = 0;; ++enough) {
    std::optional<Outcome<VerifyReport>> report;
    bool happened = false;
    {
      const FailingAllocation failing(enough);
      report.emplace(guard.verify());
      happened = FailingAllocation::happened();
    }
    if (!happened) break;
    if (report->ok()) {
      EXPECT_TRUE((*report)->ok()) << (*report)->problems.front();
    } else {
      EXPECT_EQ(report->error().code, Error::no_memory);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(Every, Verify, ::testing::Values(FilterKind::rsqf, FilterKind::taf, FilterKind::exaf),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

}  // namespace
}  // namespace telescope::testing
