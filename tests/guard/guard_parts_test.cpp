// The parts of a guard that can be looked at alone.
#include <gtest/gtest.h>

#include <chrono>

#include "../src/guard/rate_limit.hpp"
#include "../src/guard/remembered.hpp"
#include "../src/guard/tally.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

using namespace std::chrono_literals;

TEST(RateLimit, GivesSoManyASecond) {
  const detail::RateLimit::Clock::time_point start{};
  detail::RateLimit limit(4, 3, start);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.allow(start)) << "the burst";
  EXPECT_FALSE(limit.allow(start));
  EXPECT_FALSE(limit.allow(start + 249ms));
  EXPECT_TRUE(limit.allow(start + 250ms));
  EXPECT_FALSE(limit.allow(start + 250ms));
  EXPECT_TRUE(limit.allow(start + 750ms));
  EXPECT_TRUE(limit.allow(start + 750ms));
  EXPECT_FALSE(limit.allow(start + 750ms));
  EXPECT_FALSE(limit.allow(start + 500ms)) << "a clock that goes back gives nothing";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.allow(start + 1h)) << "never more than the burst";
  EXPECT_FALSE(limit.allow(start + 1h));
}

TEST(RateLimit, ZeroIsNoLimitAndABurstIsOneAtLeast) {
  const detail::RateLimit::Clock::time_point start{};
  detail::RateLimit none(0, 0, start);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(none.allow(start));
  detail::RateLimit slow(1, 0, start);
  EXPECT_TRUE(slow.allow(start));
  EXPECT_FALSE(slow.allow(start));
}

TEST(Remembered, HasAsManyPlacesAsItSays) {
  detail::Remembered one(1);
  EXPECT_FALSE(one.repeats({0, 5}));
  EXPECT_FALSE(one.repeats({1, 6})) << "the same place";
  EXPECT_FALSE(one.repeats({0, 5}));
  EXPECT_TRUE(one.repeats({2, 5}));
}

TEST(Tally, CountsWhatOverflows) {
  detail::Tally tally;
  tally.count(OverflowReport{});
  EXPECT_EQ(tally.sum(detail::Tally::overflows), 0u);
  tally.count(OverflowReport{.overflows = 2, .evicted = 3});
  tally.count(OverflowReport{.overflows = 1});
  EXPECT_EQ(tally.sum(detail::Tally::overflows), 3u);
  EXPECT_EQ(tally.sum(detail::Tally::evictions), 3u);
}

}  // namespace
}  // namespace telescope::testing
