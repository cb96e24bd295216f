// Merging: the members of both, every letter kept while the codes have room; clone and clear.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

class Merging : public ::testing::TestWithParam<Form> {};

// Both stores.
struct Union {
  const Members& a;
  const Members& b;
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    const Status first = a(range, sink);
    return first.ok() ? b(range, sink) : first;
  }
};

Twin<Keyed<>> make(const Form& form, std::uint64_t slots, double load, std::uint64_t queries, std::uint64_t seed) {
  Twin twin(Keyed<>::make(form, {.slots = slots}));
  std::mt19937_64 random(seed);
  twin.fill(load, random);
  for (std::uint64_t i = 0; i < queries; ++i) twin.query(random());
  return twin;
}

std::uint64_t adapted(const AnyFilter& filter) {
  const auto counts = letters_of(filter);
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// What one of them matches, the union matches, and nothing else: exactly, as long as no letter was dropped.
TEST_P(Merging, AnswersAsBothTogether) {
  for (const std::uint64_t slots : {64u, 192u, 1024u, 4096u}) {
    for (const double load : {0.0, 0.2, 0.47, 0.5}) {
      const auto a = make(GetParam(), slots, load, slots, slots), b = make(GetParam(), slots, load, slots, slots + 1);
      const Union both{a.store, b.store};
      const auto merged = AnyFilter::merge(a.filter.filter, b.filter.filter, both);
      ASSERT_TRUE(merged.ok()) << message(merged.error());
      ASSERT_FALSE(merged->check()) << merged->check()->what;
      ASSERT_EQ(merged->size(), a.filter.size() + b.filter.size());
      for (const auto* twin : {&a, &b}) {
        for (const std::uint64_t key : twin->keys) ASSERT_TRUE(merged->contains(a.filter.hash_of(key)));
      }
      if (adapted(*merged) < adapted(a.filter.filter) + adapted(b.filter.filter)) continue;
      std::mt19937_64 random(slots);  // the negatives that a was asked, after its members
      for (std::uint64_t i = 0; i < 4 * slots; ++i) {
        const std::uint64_t key = random();
        const bool either = a.filter.contains(key) || b.filter.contains(key),
                   now = merged->contains(a.filter.hash_of(key));
        // The members of both share the slack of a block, so some of them may lose their bit.
        ASSERT_TRUE(GetParam().kind == FilterKind::taf ? now || !either : now == either);
      }
    }
  }
}

TEST_P(Merging, WithNothingChangesNothing) {
  const auto twin = make(GetParam(), 1024, 0.95, 3000, 3);
  const auto empty = make(GetParam(), 1024, 0, 0, 4);
  const AnyFilter &full = twin.filter.filter, &none = empty.filter.filter;
  const auto merged = AnyFilter::merge(full, none), turned = AnyFilter::merge(none, full);
  ASSERT_TRUE(merged.ok() && turned.ok());
  EXPECT_TRUE(std::ranges::equal(merged->raw(), full.raw()));
  EXPECT_TRUE(std::ranges::equal(turned->raw(), full.raw()));
}

// Codes that are full on both sides: letters go, and whose they are only the source knows.
TEST_P(Merging, DropsLettersOnlyWithMembers) {
  if (!GetParam().adapts() || GetParam().width > 8) return;  // wider ones do not adapt that often
  auto a = make(GetParam(), 512, 0.5, 1500u << GetParam().width, 5);
  auto b = make(GetParam(), 512, 0.5, 1500u << GetParam().width, 6);
  const Union both{a.store, b.store};
  const auto merge = [&](const auto&... source) {
    return AnyFilter::merge(a.filter.filter, b.filter.filter, source...);
  };
  const auto alone = merge();
  const auto merged = merge(both);
  ASSERT_TRUE(merged.ok()) << message(merged.error());
  EXPECT_FALSE(merged->check());
  for (const auto* twin : {&a, &b}) {
    for (const std::uint64_t key : twin->keys) ASSERT_TRUE(merged->contains(a.filter.hash_of(key)));
  }
  if (GetParam().kind == FilterKind::taf) {  // the others' members match without their letters
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(alone.error(), Error::needs_members);
    EXPECT_EQ(merge(a.store).error(), Error::disagree);
    a.store.failing = true;
    EXPECT_EQ(merge(both).error(), Error::source_failed);
    a.store.failing = false;
  } else {
    EXPECT_TRUE(alone.ok());
  }
  a.sweep();
  b.sweep();
}

TEST_P(Merging, RefusesWhatDoesNotGoTogether) {
  const auto a = make(GetParam(), 512, 0.6, 0, 5), b = make(GetParam(), 512, 0.6, 0, 6);
  EXPECT_EQ(AnyFilter::merge(a.filter.filter, b.filter.filter).error(), Error::full);
  EXPECT_EQ(AnyFilter::merge(a.filter.filter, *GetParam().create({.slots = 576})).error(), Error::bad_argument);
}

// Positions where the ring ends, a few quotients with long runs, any sizes.
TEST_P(Merging, AnywhereInTheRing) {
  const bool held = rc::check("merged filters hold the members of both", [] {
    const std::uint64_t slots = 64 * *rc::gen::inRange<std::uint64_t>(1, 6);
    const unsigned crowding = *rc::gen::inRange(0u, 12u);
    const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
    std::mt19937_64 random(seed);
    const std::uint64_t total = random() % (slots + 1);
    auto a = *GetParam().create({.slots = slots}), b = *GetParam().create({.slots = slots});
    Members store_a, store_b;
    std::vector<Hash> members;
    for (std::uint64_t i = 0; i < total; ++i) {
      const Hash hash{~(random() >> crowding), random()};
      const bool first = random() % 3 == 0;
      const MemberSource source(first ? store_a : store_b);
      RC_ASSERT((first ? a : b).insert(hash, source).ok());
      (first ? store_a : store_b).insert(hash);
      members.push_back(hash);
      const Hash query{~(random() >> crowding), random()};
      RC_ASSERT((first ? a : b).adapt(query, source).ok());
    }
    const Union both{store_a, store_b};
    const auto merged = AnyFilter::merge(a, b, both);
    RC_ASSERT(merged.ok());
    RC_ASSERT(!merged->check().has_value());
    for (const Hash& member : members) RC_ASSERT(merged->contains(member));
  });
  EXPECT_TRUE(held);
}

// One member for each quotient: the ring is full, and nothing comes round its end.
TEST_P(Merging, FillsTheRing) {
  constexpr std::uint64_t kSlots = 128;
  auto even = *GetParam().create({.slots = kSlots}), odd = *GetParam().create({.slots = kSlots});
  auto all = *GetParam().create({.slots = kSlots});
  for (std::uint64_t i = 0; i < kSlots; ++i) {
    const Hash member{.position = i << 57, .fingerprint = i};
    ASSERT_TRUE((i % 2 ? odd : even).insert(member).ok());
    ASSERT_TRUE(all.insert(member).ok());
  }
  const auto merged = AnyFilter::merge(even, odd);
  ASSERT_TRUE(merged.ok());
  EXPECT_TRUE(std::ranges::equal(merged->raw(), all.raw()));
}

TEST_P(Merging, CloneAndClear) {
  const auto twin = make(GetParam(), 512, 0.9, 3000, 5);
  auto copy = *twin.filter.filter.clone();
  copy.clear();
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_FALSE(copy.check());
  for (const std::byte b : copy.raw()) ASSERT_EQ(b, std::byte{0});
  twin.sweep();
}

INSTANTIATE_TEST_SUITE_P(Every, Merging, ::testing::ValuesIn(some_forms()), form_name);

// The keys' hash is the business of Filter.
TEST(MergingKeys, TakesTheSameHashOnly) {
  const auto make_with = [](Secret secret) { return *Taf<8>::create({.slots = 512}, Xxh3(secret)); };
  EXPECT_EQ(Taf<8>::merge(make_with({{1, 2}}), make_with({{9, 9}})).error(), Error::bad_argument);
  EXPECT_TRUE(Taf<8>::merge(make_with({{1, 2}}), make_with({{1, 2}})).ok());
}

}  // namespace
}  // namespace telescope::testing
