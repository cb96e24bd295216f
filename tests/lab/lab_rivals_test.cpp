// The laws of the rivals, over all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "rivals/cached.hpp"
#include "rivals/rivals.hpp"

namespace telescope::lab {
namespace {

#if defined(TELESCOPE_SANITIZED)
constexpr std::uint64_t kSlots = 1 << 12;
#else
constexpr std::uint64_t kSlots = 1 << 14;
#endif

Xxh3 hash_for(std::uint64_t seed) { return Xxh3{Secret{{mix64(seed), 7}}}; }

template <class R>
std::uint64_t lost(const R& rival, const std::vector<std::uint64_t>& members) {
  std::uint64_t count = 0;
  for (const std::uint64_t key : members) count += !rival.contains(key);
  return count;
}

template <class R>
bool query(R& rival, std::uint64_t key) {
  if constexpr (requires { rival.query(key); }) {
    return rival.query(key);
  } else {
    return rival.contains(key);
  }
}

template <class R>
void adapt(R& rival, std::uint64_t key) {
  if constexpr (R::kAdapts) rival.adapt(key);
}

template <class R>
struct LabRivals : testing::Test {};

template <class List>
struct Tested;
template <class... R>
struct Tested<RivalList<R...>> {
  using Types = testing::Types<R..., Cached<Cuckoo>, Cached<Swapping>>;
};
TYPED_TEST_SUITE(LabRivals, Tested<Rivals>::Types);

TYPED_TEST(LabRivals, MembersAreFoundAfterAnyInterleaving) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    TypeParam rival(kSlots, hash_for(seed));
    const Keys keys(seed);
    Random random(seed);
    std::vector<std::uint64_t> members;
    std::vector<std::uint64_t> hand;  // what was false: asked again, and some of it becomes a member
    std::uint64_t fresh = 0;
    while (members.size() < 95 * kSlots / 100) {
      const bool from_hand = !hand.empty() && random.below(8) == 0;
      const std::uint64_t key = from_hand ? hand.back() : keys[fresh++];
      if (from_hand) hand.pop_back();
      ASSERT_TRUE(rival.insert(key));
      members.push_back(key);
      ASSERT_TRUE(rival.contains(key));
      for (unsigned i = 0; i < 16; ++i) {
        const std::uint64_t negative =
            hand.empty() || random.below(2) == 0 ? keys[fresh++] : hand[random.below(hand.size())];
        if (!query(rival, negative)) continue;
        adapt(rival, negative);
        if (std::find(hand.begin(), hand.end(), negative) == hand.end()) hand.push_back(negative);
      }
      if (members.size() % (kSlots / 16) == 0) {
        ASSERT_EQ(lost(rival, members), 0u);
      }
    }
    ASSERT_EQ(lost(rival, members), 0u);
  }
}

TYPED_TEST(LabRivals, AnInsertThatFailsChangesNoAnswer) {
  constexpr std::uint64_t kSmall = 1024;
  TypeParam rival(kSmall, hash_for(5));
  const Keys keys(5);
  std::vector<std::uint64_t> members;
  const auto answers = [&] {
    std::vector<bool> all;
    for (std::uint64_t i = 0; i < 4000; ++i) all.push_back(rival.contains(keys[1'000'000 + i]));
    return all;
  };
  std::vector<bool> before = answers();
  unsigned failures = 0;
  for (std::uint64_t i = 0; i < kSmall + 40; ++i) {
    if (rival.insert(keys[i])) {
      members.push_back(keys[i]);
      if (failures > 0) before = answers();
      continue;
    }
    if (failures++ > 0) {
      ASSERT_EQ(answers(), before);
    }
    before = answers();
    ASSERT_EQ(lost(rival, members), 0u);
  }
  EXPECT_GE(members.size(), 95 * kSmall / 100);
}

TYPED_TEST(LabRivals, TakesElevenBitsPerSlot) {
  for (const std::uint64_t slots : {4096u, 5056u, 65536u, 100032u, 262144u}) {
    const TypeParam rival(slots, hash_for(1));
    const double bits = static_cast<double>(rival.bits()) / static_cast<double>(slots);
    const double cache = TypeParam::kName == "cached" ? kCacheBitsPerSlot : 0;
    EXPECT_GE(bits, 11.0 + cache - 0.1) << slots;
    EXPECT_LE(bits, 11.0 * (1 + 1.0 / 64) + cache) << slots;
  }
}

TYPED_TEST(LabRivals, FillsToNinetyFivePercentWhateverTheSize) {
  for (const std::uint64_t slots : {256u, 1024u, 5056u, 40000u, 65536u}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      TypeParam rival(slots, hash_for(seed));
      const Keys keys(seed);
      for (std::uint64_t i = 0; i < 95 * slots / 100; ++i) ASSERT_TRUE(rival.insert(keys[i])) << slots << " at " << i;
    }
  }
}

// The more ranges there are, the fuller is the fullest.
TEST(LabVacuum, FillsWithManyRanges) {
  for (const std::uint64_t slots : {std::uint64_t{1} << 22, std::uint64_t{3'000'000} / 64 * 64}) {
    Vacuum vacuum(slots, hash_for(1));
    const Keys keys(1);
    for (std::uint64_t i = 0; i < 95 * slots / 100; ++i) ASSERT_TRUE(vacuum.insert(keys[i])) << slots << " at " << i;
  }
}

// What a fresh negative's chance is. Fingerprints of f bits have 2^f - 1 values where 0 means empty.
template <class R>
double expected_rate(double load) {
  const auto cells = [&](double places, double bits) { return 1 - std::pow(1 - load / (std::exp2(bits) - 1), places); };
  if (R::kName == "bloom") return std::pow(1 - std::exp(-8 * load / 11), 8);
  if (R::kName == "qf") return 1 - std::exp(-load / 256);
  if (R::kName == "cyclic1") return cells(4, 10);
  if (R::kName == "cyclic2") return cells(4, 9);
  if (R::kName == "cyclic3") return cells(4, 8);
  if (R::kName == "cuckooing") return cells(4, 11);
  return cells(8, 11);
}

TYPED_TEST(LabRivals, FreshNegativesAreFalseAsOftenAsTheorySays) {
  TypeParam rival(kSlots, hash_for(3));
  const Keys keys(3);
  for (std::uint64_t i = 0; i < 95 * kSlots / 100; ++i) ASSERT_TRUE(rival.insert(keys[i]));
  constexpr std::uint64_t kQueries = 400'000;
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < kQueries; ++i) hits += rival.contains(keys[kSlots + i]);
  const double expected = expected_rate<TypeParam>(0.95);
  const double tolerance = 5 * std::sqrt(expected / kQueries) + 0.04 * expected;  // the filter itself is a sample
  EXPECT_NEAR(static_cast<double>(hits) / kQueries, expected, tolerance);
}

TYPED_TEST(LabRivals, AdaptingFixesWhatWasFalse) {
  if constexpr (TypeParam::kAdapts) {
    TypeParam rival(kSlots, hash_for(4));
    const Keys keys(4);
    for (std::uint64_t i = 0; i < 95 * kSlots / 100; ++i) ASSERT_TRUE(rival.insert(keys[i]));
    unsigned found = 0, fixed = 0;
    for (std::uint64_t i = kSlots; found < 100; ++i) {
      if (!rival.contains(keys[i])) continue;
      ++found;
      rival.adapt(keys[i]);
      fixed += !rival.contains(keys[i]);
    }
    EXPECT_GE(fixed, 95u);
  }
}

TEST(LabTopK, KeepsTheMostFrequent) {
  TopK cache(10 * TopK::kEntryBits);
  Random random(1);
  for (unsigned i = 0; i < 20'000; ++i) {
    // Five keys are half of the stream.
    const std::uint64_t key = random.below(2) == 0 ? random.below(5) : 100 + random.below(100'000);
    if (cache.contains(key)) {
      cache.hit(key);
    } else {
      cache.admit(key);
    }
  }
  EXPECT_EQ(cache.size(), 10u);
  for (std::uint64_t key = 0; key < 5; ++key) EXPECT_TRUE(cache.contains(key)) << key;
}

TEST(LabTopK, CountsDoNotRunOver) {
  TopK cache(2 * TopK::kEntryBits);
  cache.admit(1);
  cache.admit(2);
  for (unsigned i = 0; i < 200'000; ++i) cache.hit(1);
  for (unsigned i = 0; i < 3; ++i) cache.admit(10 + i);  // the rare one goes
  EXPECT_TRUE(cache.contains(1));
  EXPECT_FALSE(cache.contains(2));
}

TEST(LabTopK, ForgetsMembers) {
  TopK cache(50 * TopK::kEntryBits);
  Random random(2);
  std::set<std::uint64_t> model;
  for (unsigned i = 0; i < 5000; ++i) {
    const std::uint64_t key = random.below(40);
    if (random.below(3) == 0) {
      cache.forget(key);
      model.erase(key);
    } else if (cache.contains(key)) {
      cache.hit(key);
    } else {
      cache.admit(key);
      model.insert(key);
    }
    ASSERT_EQ(cache.size(), model.size());
    for (std::uint64_t k = 0; k < 40; ++k) ASSERT_EQ(cache.contains(k), model.contains(k));
  }
}

}  // namespace
}  // namespace telescope::lab
