// False-positive rates within statistical bounds. Seeds are fixed: these tests are deterministic.
#include <algorithm>
#include <cmath>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

struct Rate {
  double measured, expected, sigma;
};

// About the share of members that have a slack bit in a TAF that has not adapted: 53 slots of 64. Shifts that end in a
// block push some out of the others' reach.
constexpr double kShareWithSlack = 51.5 / 64, kShareError = 0.025;

// A fresh negative hits each of the load x slots members with probability 2^-R / slots, or half of it.
Rate fresh_rate(FilterKind kind, unsigned width, Secret secret) {
  auto filter = Keyed<>::make(kind, width, {.slots = 1 << 14}, secret);
  std::mt19937_64 random(secret.words[0]);
  for (int i = 0; i < 15565; ++i) EXPECT_TRUE(filter.insert(random()).ok());
  const int queries = 100'000 * static_cast<int>(kEffort);
  int hits = 0;
  for (int i = 0; i < queries; ++i) hits += filter.contains(random());
  const double slack = kind == FilterKind::taf ? kShareWithSlack : 0;
  const double expected = 1 - std::exp(-filter.load() * (1 - slack / 2) * std::ldexp(1.0, -static_cast<int>(width)));
  const double model = slack == 0 ? 0 : kShareError / 5 * expected;
  return {1.0 * hits / queries, expected, std::sqrt(expected / queries) + model};
}

TEST(FalsePositives, FreshRateIsAsExpected) {
  // Wider ones have none in as many queries.
  for (const auto& [kind, width] : some_forms({4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})) {
    const Rate rate = fresh_rate(kind, width, {{width, 1}});
    EXPECT_NEAR(rate.measured, rate.expected, 5 * rate.sigma) << to_string(kind) << width;
  }
}

TEST(FalsePositives, NoSeedIsBad) {
  for (std::uint64_t seed = 0; seed < 8 * kEffort; ++seed) {
    const Rate rate = fresh_rate(FilterKind::taf, 8, {{seed, 0}});
    EXPECT_NEAR(rate.measured, rate.expected, 5.5 * rate.sigma) << "seed " << seed;
  }
}

// Theorem "fprate": after any history a query is a false positive with probability eps at most; here the repeats.
TEST(FalsePositives, ARepairedOneComesBackOnlyByChance) {
  for (const FilterKind kind : {FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
    Twin twin(Keyed<>::make(kind, 8, {.slots = 1 << 13}));
    std::mt19937_64 random(21);
    twin.fill(0.95, random);
    std::vector<std::uint64_t> negatives(5 * twin.filter.size());
    for (auto& key : negatives) key = random();
    for (auto key : negatives) twin.query(key);
    const auto first = twin.false_positives;
    for (int pass = 0; pass < 3; ++pass) {
      for (auto key : negatives) twin.query(key);
    }
    const auto repeats = twin.false_positives - first;
    // RSQF would repeat every one, three times.
    EXPECT_LT(repeats, first / (kind == FilterKind::exaf ? 4 : 20)) << to_string(kind);
    twin.sweep();
  }
}

}  // namespace
}  // namespace telescope::testing
