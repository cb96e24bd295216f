// A filter that grows while it serves: nothing is missed, nothing is full, no insert does much.
#include "telescope/growing.hpp"

#include <algorithm>

#include "support/twin.hpp"
#include "telescope/detail/move/growth_pace.hpp"

namespace telescope::testing {
namespace {

template <class F>
class Grows : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<8>, Utaf<5>>;
TYPED_TEST_SUITE(Grows, Filters);

constexpr Secret kSecret{{5, 6}};

template <class F>
Twin<Growing<F>> make(std::uint64_t slots, const GrowthPolicy& policy) {
  return Twin(*Growing<F>::create({.slots = slots}, policy, Xxh3(kSecret)));
}

TYPED_TEST(Grows, WhileItServes) {
  for (const GrowthPolicy policy : {GrowthPolicy{}, GrowthPolicy{.at_load = 0.95, .factor = 1.1, .step_slots = 64},
                                    GrowthPolicy{.at_load = 0.5, .factor = 1.5, .step_slots = 200},
                                    GrowthPolicy{.at_load = 1, .factor = 1.01, .step_slots = 100}}) {
    auto twin = make<TypeParam>(64, policy);
    std::mt19937_64 random(1);
    unsigned between = 0;
    while (twin.filter.size() < 600 * kEffort) {
      const std::uint64_t key = random() % (1 << 14);
      ASSERT_TRUE(twin.insert(key));
      ASSERT_FALSE(twin.filter.stalled());
      if (random() % 4 == 0) twin.erase(random() % (1 << 14));
      for (int i = 0; i < 4; ++i) twin.query(random() % 2 ? random() : random() % (1 << 14));
      between += twin.filter.resizing();
      if (random() % 64 == 0) twin.sweep();
      if (this->HasFailure()) return;
    }
    twin.sweep();
    EXPECT_GE(twin.filter.slots(), 600 * kEffort);
    EXPECT_EQ(between > 0, policy.at_load < 1);  // from full, one insert does it all
  }
}

TYPED_TEST(Grows, WithTheInsertThatWouldPassTheLoad) {
  for (const double load : {0.5, 0.75}) {
    auto twin = make<TypeParam>(64, {.at_load = load});
    std::mt19937_64 random(1);
    while (static_cast<double>(twin.filter.size()) < 64 * load) {
      ASSERT_TRUE(twin.insert(random()));
      ASSERT_FALSE(twin.filter.resizing());
      ASSERT_EQ(twin.filter.slots(), 64u);
    }
    ASSERT_TRUE(twin.insert(random()));
    EXPECT_EQ(twin.filter.slots(), 128u);
  }
}

// A batch is answered by two frames as by one.
TYPED_TEST(Grows, AnswersBatches) {
  auto twin = make<TypeParam>(1024, {.at_load = 0.9, .step_slots = 64});
  std::mt19937_64 random(1);
  while (!twin.filter.resizing()) ASSERT_TRUE(twin.insert(random()));
  while (twin.filter.resizing()) {
    std::vector<std::uint64_t> keys(twin.keys.begin(), twin.keys.end());
    for (int i = 0; i < 1000; ++i) keys.push_back(random());
    std::vector<std::uint8_t> out(keys.size(), 7);
    twin.filter.contains(keys, out);
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(out[i], twin.filter.contains(keys[i]));
    ASSERT_TRUE(twin.filter.step(twin.store).ok());
  }
  twin.sweep();
}

// One insert asks for about as many members as the old frame's free slots demand, and the old frame is never full.
TYPED_TEST(Grows, BitByBit) {
  auto twin = make<TypeParam>(1 << 14, {.at_load = 0.95, .factor = 1.1, .step_slots = 256});
  std::mt19937_64 random(1);
  std::uint64_t most = 0, inserts = 0;
  while (!twin.filter.resizing() || inserts == 0) {
    ASSERT_TRUE(twin.insert(random()));
    if (twin.filter.resizing()) break;
  }
  for (; twin.filter.resizing(); ++inserts) {
    std::uint64_t yielded = 0;
    const auto counting = [&](const QuotientRange& range, MemberSink sink) -> Status {
      return twin.store(range, [&](const Hash& hash) {
        ++yielded;
        sink(hash);
      });
    };
    const std::uint64_t key = random();
    ASSERT_TRUE(twin.filter.insert(key, counting).ok());
    twin.keys.insert(key);
    twin.store.insert(twin.filter.hash_of(key));
    most = std::max(most, yielded);
  }
  EXPECT_LE(most, 3 * 256u);
  EXPECT_LE(inserts, (1 << 14) * 0.05 / 2 + 2);
  twin.sweep();
}

// No larger frame to be had: it fills to the last slot, and only then says why.
TYPED_TEST(Grows, GoesOnWithoutMemory) {
  auto twin = make<TypeParam>(256, {.at_load = 0.5, .factor = 1e11});
  std::mt19937_64 random(1);
  for (int i = 0; i < 256; ++i) ASSERT_TRUE(twin.insert(random()));
  ASSERT_TRUE(twin.filter.stalled().has_value());
  const auto refused = twin.filter.insert(random(), twin.store);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error(), *twin.filter.stalled());
  EXPECT_NE(refused.error(), Error::full);
  twin.sweep();
}

// A store that fails holds the growth up, not the filter.
TYPED_TEST(Grows, WaitsForTheStore) {
  if constexpr (TypeParam::kAdapts) return;  // whose inserts may need it for themselves
  auto twin = make<TypeParam>(1024, {.at_load = 0.5, .step_slots = 64});
  std::mt19937_64 random(1);
  twin.fill(0.5, random);
  twin.store.failing = true;
  while (twin.filter.size() < 1024) ASSERT_TRUE(twin.insert(random()));
  EXPECT_EQ(twin.filter.stalled(), Error::source_failed);
  const auto refused = twin.filter.insert(random(), twin.store);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error(), Error::source_failed);
  twin.store.failing = false;
  ASSERT_TRUE(twin.insert(random()));
  EXPECT_FALSE(twin.filter.stalled());
  twin.sweep();
}

TYPED_TEST(Grows, ByHandAndBackAgain) {
  auto filter = TypeParam::create({.slots = 1024}, Xxh3(kSecret));
  Twin twin(*Growing<TypeParam>::create(std::move(*filter), {}));
  std::mt19937_64 random(1);
  twin.fill(0.6, random);
  for (const std::uint64_t slots : {64u * 100, 64u * 11, 1024u}) {
    ASSERT_TRUE(twin.filter.resize(slots).ok());
    EXPECT_EQ(twin.filter.resize(64 * slots).error(), Error::bad_argument);
    while (twin.filter.resizing()) {
      ASSERT_TRUE(twin.filter.step(twin.store).ok());
      twin.sweep();
    }
    EXPECT_EQ(twin.filter.slots(), slots);
  }
  EXPECT_EQ(twin.filter.resize(64).error(), Error::full);
  twin.sweep();
}

TEST(GrowthPolicy, SizesThatGoTogether) {
  EXPECT_EQ(GrowthPolicy{}.grown(1 << 20), 1u << 21);
  for (const double factor : {1.001, 1.1, 1.5, 2.0, 7.3}) {
    const GrowthPolicy policy{.factor = factor};
    for (const std::uint64_t slots : {std::uint64_t{64}, std::uint64_t{1} << 12, std::uint64_t{1} << 24,
                                      std::uint64_t{64} * 30000, std::uint64_t{64} * 10007}) {
      const std::uint64_t larger = policy.grown(slots);
      EXPECT_EQ(larger % 64, 0u);
      EXPECT_GT(larger, slots);
      EXPECT_GE(static_cast<double>(larger), factor * static_cast<double>(slots));
      EXPECT_LE(static_cast<double>(larger), (factor + 0.02) * static_cast<double>(slots) + 64);
      if (slots % 4096 == 0) {
        EXPECT_LE(slots / std::gcd(slots, larger), 4096u);
      }
    }
  }
  EXPECT_EQ(Growing<Taf<8>>::create({}, {.factor = 1}).error(), Error::bad_argument);
  EXPECT_EQ(Growing<Taf<8>>::create({}, {.at_load = 1.5}).error(), Error::bad_argument);
  EXPECT_EQ(Growing<Taf<8>>::create({}, {.at_load = 0}).error(), Error::bad_argument);
}

// Longer steps than there are slots were searched for a common divisor one by one, and so never ended.
TEST(GrowthPolicy, AStepOfAnyLengthEnds) {
  for (const std::uint64_t step :
       {std::uint64_t{0}, (std::uint64_t{1} << 20) + 1, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    EXPECT_EQ(Growing<Taf<8>>::create({.slots = 64}, {.step_slots = step}).error(), Error::bad_argument) << step;
    EXPECT_EQ(GrowthPolicy{.step_slots = step}.grown(64), 128u) << step;
    auto resize = Taf<8>::Frame::Resize::start(*Taf<8>::Frame::create({.slots = 64}), {.slots = 192}, step);
    ASSERT_TRUE(resize.ok());
    EXPECT_EQ(resize->steps_left(), 1u) << step;
  }
  EXPECT_TRUE(Growing<Taf<8>>::create({.slots = 64}, {.step_slots = std::uint64_t{1} << 20}).ok());
}

// A resize has ended when half of the free slots are used, a step now and then.
TEST(GrowthPace, StepsAreSpreadOverHalfOfTheRoom) {
  for (const std::uint64_t steps : {1u, 7u, 100u}) {
    for (const std::uint64_t room : {200u, 1000u}) {
      detail::GrowthPace pace;
      EXPECT_FALSE(pace.owes()) << "before there is a resize";
      pace.insert();
      EXPECT_FALSE(pace.owes());
      pace.start(steps, room);
      std::uint64_t done = 0;
      for (std::uint64_t inserts = 1; inserts <= room / 2; ++inserts) {
        for (pace.insert(); pace.owes(); pace.step()) ++done;
        EXPECT_LE(done, 2 * steps * inserts / room);
        EXPECT_GE(done + 1, 2 * steps * inserts / room);
      }
      EXPECT_GE(done + 1, steps);
      pace.stop();
      pace.insert(1000);
      EXPECT_FALSE(pace.owes());
    }
  }
  detail::GrowthPace full;
  full.start(5, 0);
  full.insert();
  for (int i = 0; i < 5; ++i, full.step()) EXPECT_TRUE(full.owes()) << "without room, one insert owes all steps";
}

}  // namespace
}  // namespace telescope::testing
