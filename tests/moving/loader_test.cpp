// Bulk loading: the same bytes as inserting, in any order; letters carried over; order enforced.
#include <algorithm>

#include "support/twin.hpp"
#include "telescope/detail/move/spill.hpp"

namespace telescope::testing {
namespace {

class Loading : public ::testing::TestWithParam<Form> {
 protected:
  AnyFilter::Loader loader(std::uint64_t slots) const {
    return std::move(*AnyFilter::Loader::create(GetParam().kind, GetParam().width, {.slots = slots}));
  }
};

Status add(AnyFilter::Loader& loader, const Hash& member) { return loader.add(std::span(&member, 1)).status; }

// Inserts in order of position put a member behind its run, as the loader does.
TEST_P(Loading, LeavesTheBytesOfInserts) {
  for (const std::uint64_t slots : {64u, 192u, 4096u}) {
    for (const double load : {0.0, 0.1, 0.5, 0.95, 1.0}) {
      const auto count = static_cast<std::uint64_t>(load * static_cast<double>(slots));
      std::mt19937_64 random(slots + count);
      const Xxh3 hash(Secret{{slots, 1}});
      std::vector<Hash> members(count);
      for (Hash& member : members) member = hash(random() % (2 * slots));  // some twice
      const auto built = AnyFilter::build(GetParam().kind, GetParam().width, {.slots = slots}, members);
      ASSERT_TRUE(built.ok());
      auto inserted = *GetParam().create({.slots = slots});
      std::ranges::sort(members, {}, &Hash::position);
      for (const Hash& member : members) ASSERT_TRUE(inserted.insert(member).ok());
      EXPECT_EQ(without_slack(*built), without_slack(inserted)) << slots << ' ' << load;
      EXPECT_EQ(built->size(), count);
      EXPECT_FALSE(built->check());
      for (const Hash& member : members) ASSERT_TRUE(built->contains(member));
    }
  }
}

// As many as the runs of a filter spill into its first slots, whose number the offset of the first block is.
TEST(Spill, IsTheOffsetOfTheFirstBlock) {
  using Frame = Taf<8>::Frame;
  std::mt19937_64 random(7);
  std::uint64_t most = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t slots = 64 * (1 + random() % 4);
    std::vector<std::uint64_t> positions;
    while (positions.size() < slots * 9 / 10) positions.push_back(~(random() >> random() % 12));
    std::ranges::sort(positions);
    detail::Spill spill(slots);
    auto frame = *Frame::create({.slots = slots});
    for (const std::uint64_t position : positions) {
      spill.add(position);
      ASSERT_TRUE(frame.insert({position, random()}, nullptr).ok());
    }
    const auto offset = std::to_integer<std::uint64_t>(frame.raw()[Frame::BlockLayout::kHead]);
    ASSERT_EQ(std::min<std::uint64_t>(spill.slots(), detail::kSaturated), offset) << round;
    most = std::max(most, spill.slots());
  }
  EXPECT_GT(most, 64u);
}

// Members that come round to the first slots find them free, if all members are known before: the bytes are those of
// inserts.
TEST_P(Loading, LeavesRoomForWhatGoesRoundTheRing) {
  for (const std::uint64_t last_quotients : {1u, 64u, 200u}) {
    for (const std::uint64_t crowd : {1u, 70u, 400u, 1000u}) {
      std::mt19937_64 random(last_quotients + crowd);
      std::vector<Hash> members;
      for (std::uint64_t i = 0; i < crowd; ++i) {
        members.push_back({~(random() % (last_quotients << 54)), random()});  // of 1,024 quotients
      }
      while (members.size() < 1024) members.push_back({random(), random()});
      const auto built = AnyFilter::build(GetParam().kind, GetParam().width, {.slots = 1024}, members);
      ASSERT_TRUE(built.ok());
      EXPECT_FALSE(built->check());
      std::ranges::stable_sort(members, {}, &Hash::position);
      auto inserted = *GetParam().create({.slots = 1024});
      for (const Hash& member : members) ASSERT_TRUE(inserted.insert(member).ok());
      EXPECT_EQ(without_slack(*built), without_slack(inserted)) << last_quotients << ' ' << crowd;
    }
  }
}

// All members in the last block: most of them come round to the first slots.
TEST_P(Loading, GoesRoundTheRing) {
  auto loading = loader(256);
  const auto member = [](std::uint64_t i) { return Hash{.position = ~std::uint64_t{0} - 255 + i, .fingerprint = i}; };
  for (std::uint64_t i = 0; i < 256; ++i) ASSERT_TRUE(add(loading, member(i)).ok());
  EXPECT_EQ(add(loading, member(255)).error(), Error::full);
  const auto filter = std::move(loading).finish();
  EXPECT_FALSE(filter.check());
  for (std::uint64_t i = 0; i < 256; ++i) EXPECT_TRUE(filter.contains(member(i))) << i;
}

TEST_P(Loading, RefusesDisorder) {
  auto loading = loader(256);
  ASSERT_TRUE(add(loading, {.position = 1000, .fingerprint = 1}).ok());
  EXPECT_EQ(add(loading, {.position = 999, .fingerprint = 1}).error(), Error::unordered);
  EXPECT_TRUE(add(loading, {.position = 1000, .fingerprint = 2}).ok());
  EXPECT_EQ(std::move(loading).finish().size(), 2u);
}

// Letters with which members come are kept, unless the code has no room; a member is found under any.
TEST_P(Loading, KeepsLetters) {
  if (!GetParam().adapts()) return;
  std::mt19937_64 random(3);
  for (const unsigned rarity : {20u, 2u}) {
    std::vector<Hash> members(900), scratch(900);
    for (Hash& member : members) member = {.position = random(), .fingerprint = random()};
    sort_by_position(members, scratch);
    std::vector<Letter> letters;
    for (const Hash& member : members) {
      // One of two that any kind of filter takes: it is the member's own as an extension, too.
      const auto own = static_cast<Letter>(1 + (member.fingerprint >> GetParam().width & 1));
      letters.push_back(random() % rarity == 0 ? own : 0);
    }
    auto loading = loader(1024);
    ASSERT_EQ(loading.add(members, letters).inserted, members.size());
    OverflowReport overflow;
    const auto filter = std::move(loading).finish(&overflow);
    EXPECT_FALSE(filter.check());
    for (const Hash& member : members) ASSERT_TRUE(filter.contains(member));
    const auto given = static_cast<std::uint64_t>(std::ranges::count_if(letters, [](Letter l) { return l != 0; }));
    const auto counts = letters_of(filter);
    const std::uint64_t kept = counts[1] + counts[2];
    EXPECT_EQ(given - kept, overflow.evicted);
    if (GetParam().kind == FilterKind::utaf) {
      EXPECT_EQ(kept, given);
    }
    if (rarity == 20) {
      EXPECT_LE(given - kept, given / 10);  // one or two that came round the ring
    }
  }
}

// Letters that a code has no room for go as the filter's overflow says.
TEST_P(Loading, ResetsWhatOverflows) {
  if (GetParam().kind != FilterKind::taf && GetParam().kind != FilterKind::exaf) return;  // uTAF has room for each
  std::mt19937_64 random(4);
  std::vector<Hash> members(60), scratch(60);
  for (Hash& member : members) member = {.position = random(), .fingerprint = random() | ~std::uint64_t{0} >> 31};
  sort_by_position(members, scratch);
  const std::vector<Letter> letters(members.size(), 2);  // an extension of one bit, which is set
  for (const Overflow policy : {Overflow::evict, Overflow::reset}) {
    auto loading =
        std::move(*AnyFilter::Loader::create(GetParam().kind, GetParam().width, {.slots = 64, .overflow = policy}));
    ASSERT_EQ(loading.add(members, letters).inserted, members.size());
    OverflowReport overflow;
    const auto filter = std::move(loading).finish(&overflow);
    EXPECT_EQ(overflow.overflows, 1u);
    EXPECT_EQ(overflow.resets, policy == Overflow::reset ? 1u : 0u);
    for (const Hash& member : members) ASSERT_TRUE(filter.contains(member));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Loading, ::testing::ValuesIn(some_forms()), form_name);

TEST(Sorting, ByPosition) {
  std::mt19937_64 random(5);
  for (const std::size_t count : {0u, 1u, 2u, 100u, 5000u, 300000u}) {
    for (const std::uint64_t spread : {~std::uint64_t{0}, std::uint64_t{0xff}, std::uint64_t{0}}) {
      std::vector<Hash> members(count), scratch(count);
      for (Hash& member : members) member = {.position = random() & spread, .fingerprint = random()};
      const auto order = [](const Hash& a, const Hash& b) {
        return std::pair(a.position, a.fingerprint) < std::pair(b.position, b.fingerprint);
      };
      std::vector<Hash> expected = members;
      std::ranges::sort(expected, order);
      sort_by_position(members, scratch);
      EXPECT_TRUE(std::ranges::is_sorted(members, {}, &Hash::position)) << count;
      std::ranges::sort(members, order);
      EXPECT_TRUE(members == expected) << count;
    }
  }
}

}  // namespace
}  // namespace telescope::testing
