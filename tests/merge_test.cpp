// Merging: the members of both, every letter kept while the codes have room; clone and clear.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

template <class F>
class Merging : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<13>, Taf<4>, Taf<8>, Taf<13>, Utaf<8>, Exaf<8>>;
TYPED_TEST_SUITE(Merging, Filters);

// Both stores.
struct Union {
  const MemberMap& a;
  const MemberMap& b;
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    const Status first = a(range, sink);
    return first.ok() ? b(range, sink) : first;
  }
};

template <class F>
Twin<F> make(std::uint64_t slots, double load, std::uint64_t queries, std::uint64_t seed) {
  Twin<F> twin(*F::create({.slots = slots}, Xxh3(Secret{{1, 2}})));
  std::mt19937_64 random(seed);
  twin.fill(load, random);
  for (std::uint64_t i = 0; i < queries; ++i) twin.query(random());
  return twin;
}

// What one of them matches, the union matches, and nothing else: exactly, as long as no letter was dropped.
TYPED_TEST(Merging, AnswersAsBothTogether) {
  for (const std::uint64_t slots : {64u, 192u, 1024u, 4096u}) {
    for (const double load : {0.0, 0.2, 0.47, 0.5}) {
      auto a = make<TypeParam>(slots, load, slots, slots), b = make<TypeParam>(slots, load, slots, slots + 1);
      OverflowReport overflow;
      const Union both{a.store, b.store};
      const MemberSource source(both);
      const auto merged = TypeParam::Frame::merged(a.filter.frame(), b.filter.frame(), &source, &overflow);
      ASSERT_TRUE(merged.ok()) << message(merged.error());
      ASSERT_FALSE(merged->check()) << merged->check()->what;
      ASSERT_EQ(merged->size(), a.filter.size() + b.filter.size());
      for (const auto* twin : {&a, &b}) {
        for (const std::uint64_t key : twin->keys) ASSERT_TRUE(merged->contains(a.filter.hash_of(key)));
      }
      if (overflow.evicted > 0) continue;
      std::mt19937_64 random(slots);  // the negatives that a was asked, after its members
      for (std::uint64_t i = 0; i < 4 * slots; ++i) {
        const std::uint64_t key = random();
        ASSERT_EQ(merged->contains(a.filter.hash_of(key)), a.filter.contains(key) || b.filter.contains(key));
      }
    }
  }
}

TYPED_TEST(Merging, WithNothingChangesNothing) {
  const auto twin = make<TypeParam>(1024, 0.95, 3000, 3);
  const auto empty = make<TypeParam>(1024, 0, 0, 4);
  const auto merged = TypeParam::merge(twin.filter, empty.filter);
  ASSERT_TRUE(merged.ok());
  EXPECT_TRUE(std::ranges::equal(merged->frame().raw(), twin.filter.frame().raw()));
  const auto turned = TypeParam::merge(empty.filter, twin.filter);
  ASSERT_TRUE(turned.ok());
  EXPECT_TRUE(std::ranges::equal(turned->frame().raw(), twin.filter.frame().raw()));
}

// Codes that are full on both sides: letters go, and whose they are only the source knows.
TYPED_TEST(Merging, DropsLettersOnlyWithMembers) {
  if constexpr (TypeParam::kAdapts && TypeParam::kWidth <= 8) {
    auto a = make<TypeParam>(512, 0.5, 1500u << TypeParam::kWidth, 5);
    auto b = make<TypeParam>(512, 0.5, 1500u << TypeParam::kWidth, 6);
    const Union both{a.store, b.store};
    const auto alone = TypeParam::merge(a.filter, b.filter);
    const auto merged = TypeParam::merge(a.filter, b.filter, both);
    ASSERT_TRUE(merged.ok()) << message(merged.error());
    EXPECT_FALSE(merged->check());
    for (const auto* twin : {&a, &b}) {
      for (const std::uint64_t key : twin->keys) ASSERT_TRUE(merged->contains(key));
    }
    if constexpr (TypeParam::Frame::Adaptation::kStorage == detail::LetterStorage::coded &&
                  TypeParam::Frame::Adaptation::kLetterMovesRemainder) {
      ASSERT_FALSE(alone.ok());
      EXPECT_EQ(alone.error(), Error::needs_members);
      EXPECT_EQ(TypeParam::merge(a.filter, b.filter, a.store).error(), Error::disagree);
      a.store.failing = true;
      EXPECT_EQ(TypeParam::merge(a.filter, b.filter, both).error(), Error::source_failed);
      a.store.failing = false;
    } else {
      EXPECT_TRUE(alone.ok());
    }
    a.sweep();
    b.sweep();
  }
}

TYPED_TEST(Merging, RefusesWhatDoesNotGoTogether) {
  const auto a = make<TypeParam>(512, 0.6, 0, 5), b = make<TypeParam>(512, 0.6, 0, 6);
  EXPECT_EQ(TypeParam::merge(a.filter, b.filter).error(), Error::full);
  EXPECT_EQ(TypeParam::merge(a.filter, *TypeParam::create({.slots = 576}, a.filter.hash())).error(),
            Error::bad_argument);
  EXPECT_EQ(TypeParam::merge(a.filter, *TypeParam::create({.slots = 512}, Xxh3(Secret{{9, 9}}))).error(),
            Error::bad_argument);
}

// Positions where the ring ends, a few quotients with long runs, any sizes.
TYPED_TEST(Merging, AnywhereInTheRing) {
  const bool held = rc::check("merged frames hold the members of both", [] {
    using Frame = typename TypeParam::Frame;
    const std::uint64_t slots = 64 * *rc::gen::inRange<std::uint64_t>(1, 6);
    const unsigned crowding = *rc::gen::inRange(0u, 12u);
    const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
    std::mt19937_64 random(seed);
    const std::uint64_t total = random() % (slots + 1);
    auto a = *Frame::create({.slots = slots}), b = *Frame::create({.slots = slots});
    MemberMap store_a, store_b;
    std::vector<Hash> members;
    for (std::uint64_t i = 0; i < total; ++i) {
      const Hash hash{~(random() >> crowding), random()};
      const bool first = random() % 3 == 0;
      const MemberSource source(first ? store_a : store_b);
      RC_ASSERT((first ? a : b).insert(hash, &source).ok());
      (first ? store_a : store_b).insert(hash);
      members.push_back(hash);
      const Hash query{~(random() >> crowding), random()};
      RC_ASSERT((first ? a : b).adapt(query, source).ok());
    }
    const Union both{store_a, store_b};
    const MemberSource source(both);
    const auto merged = Frame::merged(a, b, &source);
    RC_ASSERT(merged.ok());
    RC_ASSERT(!merged->check().has_value());
    for (const Hash& member : members) RC_ASSERT(merged->contains(member));
  });
  EXPECT_TRUE(held);
}

TYPED_TEST(Merging, CloneAndClear) {
  auto twin = make<TypeParam>(512, 0.9, 3000, 5);
  auto copy = *twin.filter.clone();
  copy.clear();
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_FALSE(copy.check());
  for (const std::byte b : copy.frame().raw()) ASSERT_EQ(b, std::byte{0});
  twin.sweep();
}

}  // namespace
}  // namespace telescope::testing
