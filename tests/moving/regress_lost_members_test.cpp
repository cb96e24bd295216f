// The scenario in which the paper's released code loses members: a shift that overflows a code set it to zero and left
// the remainders as they were. Fill, adapt on many unique negatives, fill on: every member must be found.
#include "paper/coders.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

constexpr std::uint64_t kSlots = kEffort > 1 ? 1 << 13 : 1 << 10;

// `make(options)` makes the filter; where codes are to overflow and do not, the scenario is too tame.
template <class Make>
void fill_adapt_fill(Make make, bool expect_overflows) {
  for (const Overflow overflow : {Overflow::evict, Overflow::reset}) {
    for (const auto& [load, negatives] : {std::pair{0.5, 400}, {0.7, 200}, {0.9, 100}}) {
      Twin twin(make({.slots = kSlots, .overflow = overflow}));
      std::mt19937_64 random(11);
      twin.fill(load, random);
      unsigned overflows = 0;
      for (std::uint64_t i = 0; i < twin.filter.size() * static_cast<std::uint64_t>(negatives); ++i) {
        overflows += twin.query(random()).overflow.overflows;
      }
      twin.fill(0.95, random);
      twin.sweep();
      if (expect_overflows) {
        EXPECT_GT(overflows, 0u);
      }
      for (std::uint64_t i = 0; i < kSlots / 8; ++i) twin.erase(*twin.keys.begin());
      twin.sweep();
    }
  }
}

class LostMembers : public ::testing::TestWithParam<Form> {};

TEST_P(LostMembers, FillAdaptFill) {
  fill_adapt_fill([](const FilterOptions& options) { return Keyed<>::make(GetParam(), options); },
                  GetParam().width == 8 && GetParam().kind != FilterKind::utaf);
}

TEST_P(LostMembers, InsertAndNegativesAlternate) {
  Twin twin(Keyed<>::make(GetParam(), {.slots = 1 << 10}, Secret{{3, 4}}));
  std::mt19937_64 random(13);
  while (twin.filter.load() < 0.95) {
    ASSERT_TRUE(twin.insert(random()));
    for (int i = 0; i < 100; ++i) twin.query(random());
  }
  twin.sweep();
}

INSTANTIATE_TEST_SUITE_P(Every, LostMembers,
                         ::testing::Values(Form{FilterKind::taf, 5}, Form{FilterKind::taf, 8},
                                           Form{FilterKind::exaf, 8}, Form{FilterKind::utaf, 8}),
                         form_name);

// The paper's own coders.
TEST(LostMembersOfThePaper, FillAdaptFill) {
  const Xxh3 hash(Secret{{1, 2}});
  fill_adapt_fill([&](const FilterOptions& options) { return *TafShift<8>::create(options, hash); }, true);
  fill_adapt_fill([&](const FilterOptions& options) { return *TafGeneral<8, 2, 3>::create(options, hash); }, true);
}

// Without a source an insert that overflows a code must refuse, not lose anyone. Extensions may be dropped unasked.
TEST(InsertWithoutSource, RefusesWhenACodeOverflows) {
  Twin twin(Keyed<>::make(FilterKind::taf, 8, {.slots = 1 << 10}));
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
