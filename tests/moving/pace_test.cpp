// How much of a resize is done at once: how many steps an insert owes, and how long a step is.
#include <gtest/gtest.h>

#include <algorithm>

#include "telescope/detail/frame.hpp"
#include "telescope/detail/move/growth_pace.hpp"

namespace telescope::testing {
namespace {

using detail::GrowthPace;
using detail::MigrationSchedule;

unsigned owed(GrowthPace& pace) {
  unsigned steps = 0;
  for (; pace.owes(); pace.step()) ++steps;
  return steps;
}

TEST(GrowthPace, EndsWhenHalfOfTheRoomIsUsed) {
  GrowthPace pace;
  EXPECT_EQ(owed(pace), 0u);
  pace.start(10, 20);
  for (unsigned insert = 0; insert < 10; ++insert) {
    pace.insert();
    EXPECT_EQ(owed(pace), 1u);
  }
  pace.start(10, 40);
  pace.insert();
  EXPECT_EQ(owed(pace), 0u);
  pace.insert(19);
  EXPECT_EQ(owed(pace), 10u);
}

TEST(GrowthPace, TheFirstInsertOwesAllIfThereIsNoRoom) {
  GrowthPace pace;
  for (const std::uint64_t room : {0u, 1u}) {
    pace.start(10, room);
    pace.insert();
    EXPECT_EQ(owed(pace), 20u);
  }
}

TEST(GrowthPace, NothingIsOwedOnceItIsStopped) {
  GrowthPace pace;
  pace.start(10, 20);
  pace.insert(5);
  pace.stop();
  pace.insert(5);
  EXPECT_EQ(owed(pace), 0u);
}

struct Ring {
  std::uint64_t from, to;
};
constexpr Ring kRings[] = {{1024, 2048}, {1024, 1536},       {2048, 1024},    {192, 256},
                           {64, 64},     {64 * 19, 64 * 23}, {64 * 7, 64 * 5}};

TEST(MigrationSchedule, AStepIsAsFewMarksAsMakeItsSlots) {
  for (const auto& [from, to] : kRings) {
    for (std::uint64_t asked = 0; asked < 4000; asked += 5) {
      const std::uint64_t slots = std::clamp<std::uint64_t>(asked, 1, from);
      const MigrationSchedule schedule(from, to, asked);
      const auto blocks = [&](std::uint64_t marks) {  // whether so many marks are whole blocks of both rings
        return marks * schedule.from_stride % 64 == 0 && marks * schedule.to_stride % 64 == 0;
      };
      std::uint64_t whole = 1;
      while (!blocks(whole)) ++whole;
      const std::uint64_t unit = whole * schedule.from_stride <= std::max<std::uint64_t>(slots, 64) ? whole : 1;
      ASSERT_GE(schedule.step * schedule.from_stride, slots) << from << ' ' << to << ' ' << slots;
      ASSERT_EQ(schedule.step % unit, 0u) << from << ' ' << to << ' ' << slots;
      if (schedule.step > unit) {
        ASSERT_LT((schedule.step - unit) * schedule.from_stride, slots);
      }
    }
  }
}

}  // namespace
}  // namespace telescope::testing
