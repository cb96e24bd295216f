// What AnyFilter can do at once: load, clone, clear, resize, merge; every kind, every width.
#include <algorithm>
#include <numeric>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

class AnySizes : public ::testing::TestWithParam<Form> {
 protected:
  FilterKind kind() const { return GetParam().kind; }
  unsigned width() const { return GetParam().width; }
};

std::vector<Hash> some_members(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Hash> members(count);
  for (Hash& member : members) member = {random(), random()};
  return members;
}

TEST_P(AnySizes, LoadsInEveryWay) {
  auto members = some_members(900, 1);
  const auto built = AnyFilter::build(kind(), width(), {.slots = 1024}, members);
  ASSERT_TRUE(built.ok());
  EXPECT_FALSE(built->check());
  std::ranges::sort(members, {}, &Hash::position);
  std::span<const Hash> rest = members;
  const auto streamed = AnyFilter::load(kind(), width(), {.slots = 1024}, [&]() -> Result<std::span<const Hash>> {
    const auto next = rest.first(std::min<std::size_t>(rest.size(), 70));
    rest = rest.subspan(next.size());
    return next;
  });
  ASSERT_TRUE(streamed.ok());
  EXPECT_EQ(without_slack(*built), without_slack(*streamed));
  auto loader = std::move(*AnyFilter::Loader::create(kind(), width(), {.slots = 1024}));
  const std::vector<Letter> letters(members.size());
  ASSERT_EQ(loader.add(members, letters).inserted, members.size());
  EXPECT_EQ(loader.add(std::span(members).first(1)).status.error(), Error::unordered);
  EXPECT_EQ(without_slack(std::move(loader).finish()), without_slack(*built));

  EXPECT_EQ(AnyFilter::build(kind(), width(), {.slots = 64}, members).error(), Error::full);
  EXPECT_EQ(AnyFilter::Loader::create(kind(), 3, {.slots = 64}).error(), Error::bad_argument);
  EXPECT_EQ(AnyFilter::load(kind(), width(), {.slots = 64},
                            []() -> Result<std::span<const Hash>> { return Error::source_failed; })
                .error(),
            Error::source_failed);
}

TEST_P(AnySizes, ResizesClonesAndClears) {
  Twin twin(Keyed<>::make(kind(), width(), {.slots = 1024}));
  std::mt19937_64 random(2);
  twin.fill(0.9, random);
  for (int i = 0; i < 3000; ++i) twin.query(random());
  auto copy = std::move(*twin.filter.filter.clone());
  EXPECT_TRUE(std::ranges::equal(copy.raw(), twin.filter.filter.raw()));
  EXPECT_EQ(copy.size(), twin.filter.size());
  copy.clear();
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_FALSE(copy.check());
  for (const std::uint64_t slots : {2048u, 1600u, 960u}) {
    ASSERT_TRUE(twin.filter.filter.resize({.slots = slots}, twin.store).ok());
    EXPECT_EQ(twin.filter.slots(), slots);
    twin.sweep();
  }
  EXPECT_EQ(twin.filter.filter.resize({.slots = 64}, twin.store).error(), Error::full);
  twin.sweep();
}

TEST_P(AnySizes, Merges) {
  const auto one = some_members(500, 3), other = some_members(500, 4);
  const auto a = AnyFilter::build(kind(), width(), {.slots = 1024}, one);
  const auto b = AnyFilter::build(kind(), width(), {.slots = 1024}, other);
  const auto both = AnyFilter::merge(*a, *b);
  ASSERT_TRUE(both.ok());
  EXPECT_FALSE(both->check());
  for (const Hash& member : one) ASSERT_TRUE(both->contains(member));
  for (const Hash& member : other) ASSERT_TRUE(both->contains(member));
  const unsigned wider = width() == AnyFilter::kMaxWidth ? width() - 1 : width() + 1;
  EXPECT_EQ(AnyFilter::merge(*a, *AnyFilter::create(kind(), wider, {.slots = 1024})).error(), Error::bad_argument);
  const auto kin = kind() == FilterKind::taf ? FilterKind::exaf : FilterKind::taf;
  EXPECT_EQ(AnyFilter::merge(*a, *AnyFilter::create(kin, width(), {.slots = 1024})).error(), Error::bad_argument);
}

std::vector<unsigned> every_width() {
  std::vector<unsigned> widths(AnyFilter::kMaxWidth - AnyFilter::kMinWidth + 1);
  std::iota(widths.begin(), widths.end(), AnyFilter::kMinWidth);
  return widths;
}
INSTANTIATE_TEST_SUITE_P(Every, AnySizes, ::testing::ValuesIn(some_forms(every_width())), form_name);

}  // namespace
}  // namespace telescope::testing
