// The scenario in which the paper's released code loses members: a shift that overflows a code set it to zero and left
// the remainders as they were. Fill, adapt on many unique negatives, fill on: every member must be found.
#include "paper/coders.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

template <class F>
class LostMembers : public ::testing::Test {};
using Adaptive = ::testing::Types<Taf<8>, Exaf<8>, Utaf<8>, TafShift<8>, TafGeneral<8, 2, 3>, Taf<5>>;
TYPED_TEST_SUITE(LostMembers, Adaptive);

TYPED_TEST(LostMembers, FillAdaptFill) {
  constexpr std::uint64_t kSlots = kEffort > 1 ? 1 << 13 : 1 << 10;
  for (const Overflow overflow : {Overflow::evict, Overflow::reset}) {
    for (const auto& [load, negatives] : {std::pair{0.5, 400}, {0.7, 200}, {0.9, 100}}) {
      Twin twin(*TypeParam::create({.slots = kSlots, .overflow = overflow}, Xxh3(Secret{{1, 2}})));
      std::mt19937_64 random(11);
      twin.fill(load, random);
      unsigned overflows = 0;
      for (std::uint64_t i = 0; i < twin.filter.size() * static_cast<std::uint64_t>(negatives); ++i) {
        overflows += twin.query(random()).overflow.overflows;
      }
      twin.fill(0.95, random);
      twin.sweep();
      if (TypeParam::kWidth == 8 && !std::is_same_v<TypeParam, Utaf<8>>) {
        EXPECT_GT(overflows, 0u);  // or the scenario is too tame
      }
      for (std::uint64_t i = 0; i < kSlots / 8; ++i) twin.erase(*twin.keys.begin());
      twin.sweep();
    }
  }
}

TYPED_TEST(LostMembers, InsertAndNegativesAlternate) {
  Twin twin(*TypeParam::create({.slots = 1 << 10}, Xxh3(Secret{{3, 4}})));
  std::mt19937_64 random(13);
  while (twin.filter.load() < 0.95) {
    ASSERT_TRUE(twin.insert(random()));
    for (int i = 0; i < 100; ++i) twin.query(random());
  }
  twin.sweep();
}

// Without a source an insert that overflows a code must refuse, not lose anyone. Extensions may be dropped unasked.
TEST(InsertWithoutSource, RefusesWhenACodeOverflows) {
  Twin twin(*Taf<8>::create({.slots = 1 << 10}, Xxh3(Secret{{1, 2}})));
  std::mt19937_64 random(17);
  twin.fill(0.8, random);
  for (int i = 0; i < 400'000; ++i) twin.query(random());
  unsigned refused = 0;
  while (twin.filter.load() < 0.95) {
    const std::uint64_t key = random();
    const auto done = twin.filter.insert(key);
    if (done.ok()) {
      twin.keys.insert(key);
      twin.store.insert(twin.filter.hash_of(key));
    } else {
      ASSERT_EQ(done.error(), Error::needs_members);
      ++refused;
      ASSERT_TRUE(twin.insert(key));
    }
  }
  EXPECT_GT(refused, 0u);
  twin.sweep();
}

}  // namespace
}  // namespace telescope::testing
