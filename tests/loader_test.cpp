// Bulk loading: the same bytes as inserting, in any order; letters carried over; order enforced.
#include <algorithm>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

template <class F>
class Loading : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<8>, Utaf<8>, Exaf<8>, Taf<5>, Rsqf<13>>;
TYPED_TEST_SUITE(Loading, Filters);

// Inserts in order of position put a member behind its run, as the loader does.
TYPED_TEST(Loading, LeavesTheBytesOfInserts) {
  for (const std::uint64_t slots : {64u, 192u, 4096u}) {
    for (const double load : {0.0, 0.1, 0.5, 0.95, 1.0}) {
      const auto count = static_cast<std::uint64_t>(load * static_cast<double>(slots));
      std::mt19937_64 random(slots + count);
      std::vector<std::uint64_t> keys(count);
      for (auto& key : keys) key = random() % (2 * slots);  // some twice
      const Xxh3 hash(Secret{{slots, 1}});
      const auto built = TypeParam::build({.slots = slots}, keys, hash);
      ASSERT_TRUE(built.ok());
      auto inserted = *TypeParam::create({.slots = slots}, hash);
      std::ranges::sort(keys, {}, [&](std::uint64_t key) { return hash(key).position; });
      for (const std::uint64_t key : keys) ASSERT_TRUE(inserted.insert(key).ok());
      EXPECT_TRUE(std::ranges::equal(built->frame().raw(), inserted.frame().raw())) << slots << ' ' << load;
      EXPECT_EQ(built->size(), count);
      EXPECT_FALSE(built->check());
      for (const std::uint64_t key : keys) ASSERT_TRUE(built->contains(key));
    }
  }
}

// All members in the last block: most of them come round to the first slots.
TYPED_TEST(Loading, GoesRoundTheRing) {
  auto loader = *TypeParam::Loader::create({.slots = 256});
  for (std::uint64_t i = 0; i < 256; ++i)
    ASSERT_TRUE(loader.add({.position = ~std::uint64_t{0} - 255 + i, .fingerprint = i}).ok());
  EXPECT_EQ(loader.add({.position = ~std::uint64_t{0}, .fingerprint = 1}).error(), Error::full);
  const auto filter = std::move(loader).finish();
  EXPECT_FALSE(filter.check());
  for (std::uint64_t i = 0; i < 256; ++i) {
    EXPECT_TRUE(filter.frame().contains({.position = ~std::uint64_t{0} - 255 + i, .fingerprint = i})) << i;
  }
}

TYPED_TEST(Loading, RefusesDisorder) {
  auto loader = *TypeParam::Loader::create({.slots = 256});
  ASSERT_TRUE(loader.add({.position = 1000, .fingerprint = 1}).ok());
  EXPECT_EQ(loader.add({.position = 999, .fingerprint = 1}).error(), Error::unordered);
  EXPECT_TRUE(loader.add({.position = 1000, .fingerprint = 2}).ok());
  EXPECT_EQ(std::move(loader).finish().size(), 2u);
}

// Letters with which members come are kept, unless the code has no room; a member is found under any.
TYPED_TEST(Loading, KeepsLetters) {
  if constexpr (TypeParam::kAdapts) {
    std::mt19937_64 random(3);
    for (const unsigned rarity : {20u, 2u}) {
      std::vector<Hash> members(900), scratch(900);
      for (Hash& member : members) member = {.position = random(), .fingerprint = random()};
      sort_by_position(members, scratch);
      auto loader = *TypeParam::Loader::create({.slots = 1024});
      unsigned given = 0, kept = 0;
      for (const Hash& member : members) {
        using A = typename TypeParam::Frame::Adaptation;
        Letter letter = random() % rarity == 0 ? 1 + static_cast<Letter>(random() % 2) : 0;
        if (!A::fits(A::remainder(member, letter), letter, member)) letter = 0;  // an extension that is not its own
        given += letter != 0;
        ASSERT_TRUE(loader.add(member, letter).ok());
      }
      OverflowReport overflow;
      const auto filter = std::move(loader).finish(&overflow);
      EXPECT_FALSE(filter.check());
      for (const Hash& member : members) ASSERT_TRUE(filter.frame().contains(member));
      filter.frame().visit_letters([&](std::uint64_t, std::uint64_t, Letter letter) { kept += letter != 0; });
      EXPECT_EQ(given - kept, overflow.evicted);
      if (rarity == 20) {
        EXPECT_LE(given - kept, given / 10);  // one or two that came round the ring
      }
    }
  }
}

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
