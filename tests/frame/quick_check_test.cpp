// The quick check against the thorough one, on blocks that were tampered with.
#include <algorithm>

#include "support/restored.hpp"
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

// What the quick check does not look at: none of it harms an operation.
const std::string kNotZero = "an empty slot is not zero", kNotCanonical = "the code is not canonical",
                  kNoSlot = "a slack entry belongs to no slot";

class Tampered : public ::testing::TestWithParam<Form> {
 protected:
  // Inserts into lanes of this width look for zeros.
  bool zeros_matter() const { return GetParam().width == 8; }

  void run(std::uint64_t blocks, double load, unsigned rounds) {
    std::mt19937_64 random(blocks * 1000 + static_cast<std::uint64_t>(load * 100));
    const FilterOptions options{.slots = 64 * blocks};
    auto filter = *GetParam().create(options);
    Members store;
    while (filter.load() < load) {
      const Hash member{random(), random()};
      ASSERT_TRUE(filter.insert(member).ok());
      store.insert(member);
    }
    for (int i = 0; i < 2000; ++i) (void)filter.adapt({random(), random()}, store);
    ASSERT_EQ(filter.quick_check(), nullptr) << filter.quick_check();

    unsigned accepted = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      std::vector<std::byte> raw(filter.raw().begin(), filter.raw().end());
      std::uint64_t size = filter.size();
      for (std::uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
        // Mostly in the metadata, the first 24 bytes of a block.
        const std::size_t stride = raw.size() / blocks;
        const std::size_t at = random() % blocks * stride + random() % (random() % 8 == 0 ? stride : 24);
        raw[at] ^= static_cast<std::byte>(1u << random() % 8);
      }
      if (random() % 16 == 0) size += random() % 3 - 1;
      const auto judged = restored(GetParam().kind, GetParam().width, options, raw, size);
      const auto thorough = judged.check();
      const char* const quick = judged.quick_check();
      if (!thorough) {
        ASSERT_EQ(quick, nullptr) << quick;
      }
      if (quick == nullptr) {
        ++accepted;
        ASSERT_TRUE(!thorough || thorough->what == kNotCanonical || thorough->what == kNoSlot ||
                    (!zeros_matter() && thorough->what == kNotZero))
            << thorough->what;
      }
    }
    EXPECT_GT(accepted, 0u);
    EXPECT_LT(accepted, rounds / 2);
  }
};

TEST_P(Tampered, TheQuickCheckAgreesWithTheThoroughOne) {
  for (const std::uint64_t blocks : {1, 2, 5, 40}) {
    for (const double load : {0.3, 0.9, 0.99, 1.0}) run(blocks, load, 400 * kEffort);
  }
}

constexpr std::size_t kOffset = detail::LayoutOf<detail::None<8>>::kHead;

// A run so long that the next block begins far behind its own slots, or so far that its offset does not say; also where
// that block is the first one of the ring.
TEST(QuickCheck, KnowsWhereALongRunEnds) {
  constexpr std::uint64_t kBlocks = 10;
  const FilterOptions options{.slots = 64 * kBlocks};
  for (const std::uint64_t block : {std::uint64_t{0}, kBlocks - 1}) {
    for (const unsigned spill : {63u, 64u, 65u, 100u, 128u, 254u, 255u, 256u}) {
      auto filter = *AnyFilter::create(FilterKind::rsqf, 8, options);
      for (unsigned i = 0; i <= spill; ++i) {  // the first of them is in the last slot of the block
        const Hash member{detail::first_position(64 * block + 63, options.slots), i};
        ASSERT_TRUE(filter.insert(member).ok());
      }
      ASSERT_EQ(filter.quick_check(), nullptr) << spill;
      ASSERT_FALSE(filter.check());
      std::vector<std::byte> raw(filter.raw().begin(), filter.raw().end());
      std::byte& offset = raw[(block + 1) % kBlocks * (raw.size() / kBlocks) + kOffset];
      ASSERT_EQ(static_cast<unsigned>(offset), std::min(spill, 255u));
      for (const unsigned other : {spill - 1, spill + 1, 255u}) {
        if (other > 255 || other == std::min(spill, 255u)) continue;
        offset = static_cast<std::byte>(other);
        const auto judged = restored(FilterKind::rsqf, 8, options, raw, filter.size());
        EXPECT_NE(judged.quick_check(), nullptr) << spill << " is not " << other;
        EXPECT_TRUE(judged.check()) << spill << " is not " << other;
      }
    }
  }
}

TEST(QuickCheck, SomeOffsetSaysWhereItsRegionBegins) {
  const FilterOptions options{.slots = 64 * 3};
  const auto filter = *AnyFilter::create(FilterKind::rsqf, 8, options);
  std::vector<std::byte> raw(filter.raw().begin(), filter.raw().end());
  for (std::size_t block = 0; block < 3; ++block) raw[block * (raw.size() / 3) + kOffset] = std::byte{255};
  const auto judged = restored(FilterKind::rsqf, 8, options, raw, 0);
  EXPECT_STREQ(judged.quick_check(), "every offset is saturated");
  ASSERT_TRUE(judged.check());
  EXPECT_EQ(judged.check()->what, "every offset is saturated");
}

// Letters that are stored as they are: an empty slot has none.
TEST(Check, AnEmptySlotHasNoLetter) {
  const FilterOptions options{.slots = 64};
  const auto filter = *AnyFilter::create(FilterKind::utaf, 8, options);
  std::vector<std::byte> raw(filter.raw().begin(), filter.raw().end());
  raw.back() = std::byte{1};
  EXPECT_TRUE(restored(FilterKind::utaf, 8, options, raw, 0).check());
}

INSTANTIATE_TEST_SUITE_P(Every, Tampered,
                         ::testing::Values(Form{FilterKind::rsqf, 8}, Form{FilterKind::taf, 8},
                                           Form{FilterKind::taf, 5}, Form{FilterKind::exaf, 11},
                                           Form{FilterKind::utaf, 4}),
                         form_name);

}  // namespace
}  // namespace telescope::testing
