// Batch answers are single answers, whatever the filter, its state, and the size of the batch.
#include <algorithm>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

constexpr std::size_t kSizes[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 127, 1000};

void compare(const Keyed<>& filter, const std::vector<std::uint64_t>& keys) {
  for (const std::size_t size : kSizes) {
    for (std::size_t from = 0; from + size <= keys.size(); from += std::max<std::size_t>(size, 97)) {
      std::vector<std::uint8_t> out(size + 1, 77);
      filter.contains(std::span(keys).subspan(from, size), std::span(out).first(size));
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(out[i], filter.contains(keys[from + i])) << from + i << " of " << size;
      }
      ASSERT_EQ(out[size], 77);  // nothing behind the end
    }
  }
}

class Batches : public ::testing::TestWithParam<Form> {};

// Up to the last slot: long runs, saturated offsets, runs across blocks and round the ring. Adapted until codes are
// plain, listed, tall and full.
TEST_P(Batches, AreSingleAnswers) {
  for (const std::uint64_t slots : {64u, 128u, 2048u}) {
    for (const double load : {0.0, 0.5, 0.95, 1.0}) {
      std::mt19937_64 random(slots);
      Twin twin(Keyed<>::make(GetParam(), {.slots = slots}));
      twin.fill(load, random);
      for (const unsigned negatives : {0u, 5u, 30u, 200u}) {
        for (std::uint64_t i = 0; i < negatives * twin.filter.size() / (kEffort > 1 ? 1 : 4); ++i) twin.query(random());
        std::vector<std::uint64_t> keys(twin.keys.begin(), twin.keys.end());
        for (std::uint64_t i = 0; i < 1200; ++i) keys.push_back(random());
        std::shuffle(keys.begin(), keys.end(), random);
        compare(twin.filter, keys);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// All members in a few quotients: runs longer than any comparison.
TEST_P(Batches, OfLongRuns) {
  auto filter = Keyed<>::make(GetParam(), {.slots = 512});
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t key = random();
    const std::uint64_t copies = 1 + random() % 40;
    for (std::uint64_t c = 0; c < copies && filter.size() < filter.slots(); ++c) ASSERT_TRUE(filter.insert(key).ok());
    keys.push_back(key);
  }
  for (int i = 0; i < 4000; ++i) keys.push_back(random());
  compare(filter, keys);
}

// A crowd at the end of the ring, three blocks' worth and more in one: offsets past 63 and saturated ones, on both
// sides of the seam.
TEST_P(Batches, BehindACrowd) {
  constexpr std::uint64_t kSlots = 2048;
  Twin twin(Keyed<>::make(GetParam(), {.slots = kSlots}));
  std::mt19937_64 random(4);
  const auto quotient = [&](std::uint64_t key) {
    return detail::bits::multiply_high(twin.filter.hash_of(key).position, kSlots);
  };
  for (int i = 0; i < 400;) {
    const std::uint64_t key = random();
    if (quotient(key) / 64 != kSlots / 64 - 3) continue;
    ASSERT_TRUE(twin.insert(key));
    ++i;
  }
  twin.fill(0.8, random);
  for (const unsigned negatives : {0u, 20u}) {
    for (std::uint64_t i = 0; i < negatives * twin.filter.size(); ++i) twin.query(random());
    std::vector<std::uint64_t> keys(twin.keys.begin(), twin.keys.end());
    for (int i = 0; i < 4000; ++i) keys.push_back(random());
    compare(twin.filter, keys);
  }
}

// A letter past the candidates: one member alone, adapted again and again.
TEST(Batch, OfATallCode) {
  Twin twin(Keyed<>::make(FilterKind::taf, 8, {.slots = 64}));
  ASSERT_TRUE(twin.insert(1));
  std::mt19937_64 random(5);
  Letter tallest = 0;
  for (unsigned adapted = 0; tallest < 10;) {
    std::vector<std::uint64_t> keys{1};
    for (int i = 0; i < 63; ++i) keys.push_back(random());
    compare(twin.filter, keys);
    for (const std::uint64_t key : keys) adapted += twin.query(key).adapted;
    ASSERT_LT(adapted, 100u);
    const auto counts = letters_of(twin.filter.filter);
    for (Letter letter = 0; letter < counts.size(); ++letter) tallest = counts[letter] > 0 ? letter : tallest;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Batches, ::testing::ValuesIn(some_forms()), form_name);

}  // namespace
}  // namespace telescope::testing
