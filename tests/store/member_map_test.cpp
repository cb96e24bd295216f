// MemberMap keeps the laws of a MemberSource.
#include "telescope/member_map.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace telescope {
namespace {

std::vector<Hash> scan(const MemberMap& members, std::uint64_t first, std::uint64_t last) {
  std::vector<Hash> found;
  const auto collect = [&](const Hash& member) { found.push_back(member); };
  EXPECT_TRUE(members({.first_position = first, .last_position = last}, collect).ok());
  return found;
}

TEST(MemberMap, YieldsTheMembersOfTheRangeAndBothItsEnds) {
  MemberMap members;
  for (const std::uint64_t position : {40, 10, 30, 20}) ASSERT_TRUE(members.insert({position, 7}).ok());
  EXPECT_EQ(scan(members, 10, 30), (std::vector<Hash>{{10, 7}, {20, 7}, {30, 7}}));
  EXPECT_EQ(scan(members, 11, 19), std::vector<Hash>{});
  EXPECT_EQ(scan(members, 40, ~std::uint64_t{0}), (std::vector<Hash>{{40, 7}}));
  EXPECT_EQ(members.size(), 4u);
}

TEST(MemberMap, KeepsEqualMembersApart) {
  MemberMap members;
  for (const Hash hash : {Hash{5, 1}, Hash{5, 2}, Hash{5, 1}}) ASSERT_TRUE(members.insert(hash).ok());
  ASSERT_TRUE(members.erase({5, 1}).ok());
  EXPECT_EQ(scan(members, 5, 5), (std::vector<Hash>{{5, 1}, {5, 2}}));
  ASSERT_TRUE(members.erase({5, 1}).ok());
  EXPECT_EQ(scan(members, 5, 5), (std::vector<Hash>{{5, 2}}));
}

TEST(MemberMap, ErasesNothingThatItDoesNotHold) {
  MemberMap members;
  ASSERT_TRUE(members.insert({5, 1}).ok());
  const Status erased = members.erase({5, 2});
  ASSERT_FALSE(erased.ok());
  EXPECT_EQ(erased.error(), Error::not_found);
  EXPECT_EQ(members.size(), 1u);
  members.clear();
  EXPECT_EQ(members.size(), 0u);
}

}  // namespace
}  // namespace telescope
