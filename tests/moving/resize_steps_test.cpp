// Resizing in steps: nothing is missed while it is under way, whatever happens in between.
#if defined(TELESCOPE_SANITIZED) && defined(__GNUC__) && !defined(__clang__)
// With sanitizers, g++ 12 takes the inside of an empty std::optional for something that is used.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <algorithm>

#include "support/moving.hpp"

namespace telescope::testing {
namespace {

// One of each way to keep letters.
template <class F>
class Steps : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<4>, Utaf<8>, Exaf<8>>;
TYPED_TEST_SUITE(Steps, Filters);

struct Sizes {
  std::uint64_t from, to;
};
// Twice, one and a half times, half, and sizes that share no more than 64: 19 and 23 blocks, 5 and 7.
constexpr Sizes kSizes[] = {{1024, 2048}, {1024, 1536}, {2048, 1024}, {64 * 19, 64 * 23}, {64 * 7, 64 * 5},
                            {64, 128},    {64, 64},     {128, 64},    {64 * 12, 64 * 13}};

TEST(MigrationSchedule, StopsOnlyWhereQuotientsOfBothBegin) {
  for (const auto& [from, to] : kSizes) {
    for (const std::uint64_t step : {1u, 64u, 100u, 4096u}) {
      const detail::MigrationSchedule schedule(from, to, step);
      std::uint64_t mark = 0;
      for (; mark < schedule.marks; mark = schedule.after(mark)) {
        const std::uint64_t position = detail::first_position(mark * schedule.from_stride, from);
        ASSERT_EQ(position, detail::first_position(mark * schedule.to_stride, to));
        ASSERT_EQ(detail::bits::multiply_high(position, from), mark * schedule.from_stride);
        ASSERT_EQ(detail::bits::multiply_high(position, to), mark * schedule.to_stride);
        if (mark > 0) {
          ASSERT_LT(detail::bits::multiply_high(position - 1, from), mark * schedule.from_stride);
        }
      }
      EXPECT_EQ(mark * schedule.from_stride, from);
      EXPECT_EQ(mark * schedule.to_stride, to);
    }
  }
}

// Operations of all kinds while chunks move, up to the last slot; a source that fails now and then.
TYPED_TEST(Steps, IsServedThroughout) {
  for (const unsigned crowding : {0u, 1u, 3u}) {
    for (const Overflow overflow : {Overflow::evict, Overflow::reset}) {
      Twin twin(Moving<TypeParam>(kSizes[0].from, overflow, crowding));
      std::mt19937_64 random(crowding + TypeParam::kWidth);
      const std::uint64_t universe = 3000;
      for (unsigned round = 0; round < 3 + kEffort; ++round) {
        const std::uint64_t members = twin.filter.slots() * (60 + random() % 41) / 100;
        while (twin.filter.size() < members) ASSERT_TRUE(twin.insert(random() % universe));
        while (twin.filter.size() > 1200) twin.erase(*twin.keys.begin());
        // To any size, or to one that just holds them.
        const std::uint64_t tight = (twin.filter.size() + 40 + 63) / 64 * 64;
        const std::uint64_t to = random() % 2 ? tight : tight + 64 * (random() % 20);
        for (unsigned i = 0; i < 2000 * kEffort; ++i) twin.query(random());  // codes are full, and overflow below
        ASSERT_TRUE(twin.filter.start(to, 1 + random() % 300).ok());
        while (twin.filter.moving()) {
          for (int i = 0; i < 20; ++i) {
            const std::uint64_t key = random() % universe;
            switch (random() % 8) {
              case 0:
              case 1: twin.insert(key); break;
              case 2: twin.erase(key); break;
              default:
                for (int n = 0; n < 10; ++n) twin.query(n == 0 ? key : random());
            }
            if (this->HasFailure() || !twin.filter.moving()) break;
          }
          if (!twin.filter.moving()) break;
          unsigned answers = random() % 3 == 0 ? static_cast<unsigned>(random() % 3) : ~0u;  // then the source fails
          const auto flaky = [&](const QuotientRange& range, MemberSink sink) -> Status {
            return answers-- > 0 ? twin.store(range, sink) : Status{Error::source_failed};
          };
          const Status stepped = twin.filter.step(flaky);
          EXPECT_TRUE(stepped.ok() || stepped.error() == Error::source_failed) << message(stepped.error());
          twin.sweep();
          if (this->HasFailure()) return;
        }
        twin.sweep();
      }
    }
  }
}

TYPED_TEST(Steps, AreCounted) {
  for (const auto& [from, to] : kSizes) {
    for (const std::uint64_t step : {1u, 64u, 300u, 4096u}) {
      const Members store;
      auto resize = *TypeParam::Frame::Resize::start(*TypeParam::Frame::create({.slots = from}), {.slots = to}, step);
      std::uint64_t left = resize.steps_left();
      for (; !resize.done(); --left) {
        ASSERT_EQ(resize.steps_left(), left) << from << ' ' << to << ' ' << step;
        ASSERT_TRUE(resize.step(store).ok());
      }
      ASSERT_EQ(left, 0u) << from << ' ' << to << ' ' << step;
    }
  }
}

// As many slots as there are members will do, and one member more is too many.
TYPED_TEST(Steps, AsManySlotsAsMembers) {
  for (const std::uint64_t members : {64u, 65u}) {
    auto frame = *TypeParam::Frame::create({.slots = 128});
    Members store;
    std::mt19937_64 random(members);
    for (std::uint64_t i = 0; i < members; ++i) {
      const Hash hash{random(), random()};
      ASSERT_TRUE(frame.insert(hash, nullptr).ok());
      store.insert(hash);
    }
    auto resize = TypeParam::Frame::Resize::start(std::move(frame), {.slots = 64});
    ASSERT_EQ(resize.ok(), members == 64);
    if (members > 64) {
      EXPECT_EQ(resize.error(), Error::full);
      EXPECT_EQ(frame.size(), members) << "a frame whose resize does not start stays";
      continue;
    }
    EXPECT_EQ(resize->bytes(), resize->from().bytes() + resize->to().bytes());
    while (!resize->done()) ASSERT_TRUE(resize->step(store).ok());
    EXPECT_EQ(std::move(*resize).finish().size(), 64u);
  }
}

// While members are handed over, the source knows of those before and of no other, however often one is there.
TYPED_TEST(Steps, ASourceFollowsTheChunk) {
  auto frame = *TypeParam::Frame::create({.slots = 256});
  Members store;
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    const Hash hash{(random() % 4) << 62, random() % 4};
    ASSERT_TRUE(frame.insert(hash, nullptr).ok());
    store.insert(hash);
  }
  typename TypeParam::Frame::Chunk chunk;
  ASSERT_TRUE(chunk.collect(frame, 0, 256, store).ok());
  std::vector<Hash> handed_over;
  const auto take = [&](const Hash& member, Letter, const MemberSource* so_far) -> Status {
    std::vector<Hash> known;
    EXPECT_TRUE((*so_far)(detail::quotient_range(0, 256, 256), [&](const Hash& h) { known.push_back(h); }).ok());
    std::ranges::sort(known, TypeParam::Frame::Chunk::before);
    EXPECT_TRUE(known == handed_over) << known.size() << " of " << handed_over.size();
    if (random() % 8 == 0) return Error::source_failed;
    EXPECT_TRUE(chunk.contains(member));
    handed_over.push_back(member);
    return {};
  };
  while (!chunk.empty()) {
    const Status poured = chunk.drain_into(take, store);
    EXPECT_EQ(poured.ok(), chunk.empty());
  }
  EXPECT_EQ(handed_over.size(), 200u);
}

// A ring whose last quotients hold so many members that they come round, over members whose codes are full.
struct Crowded {
  static constexpr std::uint64_t kSlots = 1024;
  using Frame = Taf<4>::Frame;

  explicit Crowded(std::uint64_t seed) : random(seed) {
    for (int i = 0; i < 1000; ++i) {
      const Hash hash = i % 2 ? head() : tail();
      const MemberSource source(store);
      EXPECT_TRUE(frame.insert(hash, &source).ok());
      store.insert(hash);
      (i % 2 ? heads : tails).push_back(hash);
    }
    for (int i = 0; i < 20'000; ++i) EXPECT_TRUE(frame.adapt(i % 2 ? head() : tail(), store).ok());
  }
  Hash head() { return {random() >> 1, random()}; }
  Hash tail() { return {~(random() >> 6), random()}; }

  template <class Subject>
  std::size_t lost(const Subject& subject) const {
    std::vector<Hash> members = heads;
    members.insert(members.end(), tails.begin(), tails.end());
    std::vector<std::uint8_t> out(members.size());
    const auto given = [&](std::size_t first, std::span<Hash>) -> const Hash* { return members.data() + first; };
    subject.contains_many(members.size(), detail::AnyHashes(given), out.data());
    std::size_t count = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(subject.contains(members[i]), out[i] != 0);
      count += out[i] == 0;
    }
    return count;
  }

  std::mt19937_64 random;
  Members store;
  std::vector<Hash> heads, tails;
  Frame frame = std::move(*Frame::create({.slots = kSlots}));
};

// Where loading is inserting, a code may overflow, and then the source may fail: what is left over waits in the chunk.
TEST(RingEnd, AFailedStepLosesNothing) {
  unsigned failed = 0;
  for (unsigned seed = 0; seed < 6 * kEffort; ++seed) {
    Crowded ring(seed);
    auto resize =
        *Crowded::Frame::Resize::start(std::move(ring.frame), {.slots = Crowded::kSlots + 64 * (seed % 2)}, 200);
    while (!resize.done()) {
      unsigned calls = 0;
      const auto once = [&](const QuotientRange& range, MemberSink sink) -> Status {
        return calls++ == 0 ? ring.store(range, sink) : Status{Error::source_failed};
      };
      if (resize.step(once).ok()) continue;
      ++failed;
      ASSERT_GT(resize.pending(), 0u);
      EXPECT_EQ(resize.size(), 1000u);
      EXPECT_EQ(ring.lost(resize), 0u);
      EXPECT_FALSE(resize.check());
      ring.store.failing = true;  // nothing else changes as long as it does not settle
      EXPECT_FALSE(resize.insert(ring.head(), ring.store).ok());
      EXPECT_FALSE(resize.erase(ring.heads[0], ring.store).ok());
      EXPECT_FALSE(resize.step(ring.store).ok());
      EXPECT_EQ(ring.lost(resize), 0u);
      ring.store.failing = false;
      const Status again = resize.step(ring.store);
      ASSERT_TRUE(again.ok()) << message(again.error());
    }
    const auto frame = std::move(resize).finish();
    EXPECT_FALSE(frame.check());
    EXPECT_EQ(ring.lost(frame), 0u);
  }
  EXPECT_GT(failed, 0u);
}

// Runs that have moved away are still in the old frame, in the way of those that have not; but nobody asks for them.
TEST(RingEnd, StaleRunsNeedNoMembers) {
  for (unsigned seed = 0; seed < kEffort; ++seed) {
    Crowded ring(seed);
    auto resize = *Crowded::Frame::Resize::start(std::move(ring.frame), {.slots = 2 * Crowded::kSlots}, 100);
    while (resize.to().size() < 500) ASSERT_TRUE(resize.step(ring.store).ok());
    for (int i = 0; i < 250; ++i) {
      ASSERT_TRUE(resize.erase(ring.heads.back(), ring.store).ok());
      ring.store.erase(ring.heads.back());
      ring.heads.pop_back();
    }
    ASSERT_EQ(resize.from().size(), 1000u);
    while (ring.tails.size() > 20) {
      const auto erased = resize.erase(ring.tails.back(), ring.store);
      ASSERT_TRUE(erased.ok()) << message(erased.error());
      ring.store.erase(ring.tails.back());
      ring.tails.pop_back();
      ASSERT_FALSE(resize.check());
    }
    while (!resize.done()) ASSERT_TRUE(resize.step(ring.store).ok());
    EXPECT_EQ(ring.lost(resize), 0u);
    EXPECT_EQ(resize.size(), 270u);
  }
}

}  // namespace
}  // namespace telescope::testing
