// The table of regions: how many there are, which blocks lie in each, and how they are numbered past the ring's end.
#include "telescope/detail/block/regions.hpp"

#include <gtest/gtest.h>

#include <memory_resource>

namespace telescope::testing {
namespace {

using detail::Regions;

Regions regions(std::uint64_t blocks, std::uint64_t most, std::uint64_t least_blocks) {
  return {blocks, most, least_blocks, {std::pmr::new_delete_resource(), false}};
}

TEST(Regions, AreAsManyAsTheyMayBeAndAsLargeAsTheyMust) {
  struct Case {
    std::uint64_t blocks, most, least_blocks, count;
  };
  for (const Case& c :
       {Case{1, 1, 1, 1}, Case{8, 8, 1, 8}, Case{9, 8, 1, 5}, Case{8, 0, 1, 1}, Case{8, 1, 1, 1}, Case{16, 32, 1, 16},
        Case{16, 32, 2, 8}, Case{16, 32, 3, 4}, Case{16, 32, 4, 4}, Case{17, 32, 4, 5}, Case{4, 32, 8, 1}}) {
    const Regions table = regions(c.blocks, c.most, c.least_blocks);
    ASSERT_TRUE(table);
    EXPECT_EQ(table.count(), c.count) << c.blocks << ' ' << c.most << ' ' << c.least_blocks;
    EXPECT_EQ(table.blocks(), c.blocks);
    EXPECT_EQ(table.region_of_home(c.blocks - 1), c.count - 1) << "the last one is not empty";
    EXPECT_EQ(table.bytes() % c.count, 0u);
    EXPECT_EQ(table.bytes() / c.count, sizeof(detail::Version) + sizeof(table.mutex(0)));
  }
}

TEST(Regions, AreNumberedOnPastTheEndOfTheRing) {
  const Regions table = regions(9, 8, 1);  // of two blocks each, and one of one
  for (std::uint64_t block = 0; block < 9; ++block) {
    EXPECT_EQ(table.region_of_home(block), block / 2);
    for (std::uint64_t lap = 0; lap < 4; ++lap) {
      EXPECT_EQ(table.region_of(9 * lap + block), table.count() * lap + block / 2);
    }
  }
}

TEST(Regions, WithoutMemoryThereIsNone) { EXPECT_FALSE(Regions(64, 64, 1, {std::pmr::null_memory_resource(), false})); }

}  // namespace
}  // namespace telescope::testing
