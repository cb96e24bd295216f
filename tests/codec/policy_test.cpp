// The laws of the adaptation policies, and the bits that a slot gets: they are what snapshots hold.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include "telescope/detail/adapt/extensions.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"

namespace telescope {
namespace {

using detail::RawSelectors;
using AnySelectors = RawSelectors<detail::bits::kAnyWidth>;
using AnyExtensions = detail::Extensions<detail::bits::kAnyWidth, detail::ExtensionCode>;

constexpr std::uint64_t ones(unsigned n) { return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

// Two hashes that share the first `shared` bits of the fingerprint, and not the next one.
std::array<Hash, 2> sharing(unsigned shared, std::mt19937_64& random) {
  const std::uint64_t word = random(), above = shared == 63 ? 0 : random() << (shared + 1);
  return {Hash{1, word}, Hash{1, word ^ (std::uint64_t{1} << shared) ^ above}};
}

TEST(Policies, ASelectorIsAChunkOfTheFingerprint) {
  const Hash hash{1, 0x0123456789abcdef};
  for (unsigned width = 4; width <= 32; ++width) {
    const AnySelectors policy(width);
    for (Letter letter = 0; letter < 64 / width; ++letter) {
      EXPECT_EQ(policy.remainder(hash, letter), hash.fingerprint >> letter * width & ones(width)) << width;
    }
  }
}

TEST(Policies, PastTheLastChunkSelectorsAreMixed) {
  struct Golden {
    unsigned width;
    Letter letter;
    std::array<std::uint64_t, 4> remainders;  // under this letter and the next three
  };
  const Hash hash{1, 0x0123456789abcdef};
  for (const Golden& want : {Golden{4, 16, {0x5, 0x8, 0x4, 0x0}}, Golden{8, 8, {0x51, 0x1b, 0xe7, 0x0f}},
                             Golden{13, 4, {0x7ec, 0x8, 0xc72, 0xc05}}}) {
    for (Letter i = 0; i < 4; ++i) {
      EXPECT_EQ(AnySelectors(want.width).remainder(hash, want.letter + i), want.remainders[i]) << want.width;
    }
  }
}

TEST(Policies, SelectorsThatSeparateFitTheMemberAlone) {
  std::mt19937_64 random(1);
  for (const unsigned width : {4u, 5u, 8u, 16u, 31u}) {
    const AnySelectors policy(width);
    for (unsigned shared = 0; shared < 64; ++shared) {
      const auto [member, query] = sharing(shared, random);
      for (const Letter from : {0u, 1u, 3u, 9u}) {
        const auto letter = policy.separate(member, query, from);
        ASSERT_TRUE(letter) << width << " " << shared;
        EXPECT_GE(*letter, from);
        EXPECT_TRUE(policy.fits(policy.remainder(member, *letter), *letter, member));
        EXPECT_FALSE(policy.fits(policy.remainder(member, *letter), *letter, query));
        for (Letter less = from; less < *letter; ++less) {
          EXPECT_EQ(policy.remainder(member, less), policy.remainder(query, less)) << "a smaller letter would do";
        }
      }
    }
    EXPECT_FALSE(policy.separate(Hash{1, 7}, Hash{2, 7}, 0)) << "they have the same fingerprint";
  }
}

TEST(Policies, AnExtensionEndsWithTheFirstBitThatDiffers) {
  std::mt19937_64 random(2);
  for (const unsigned width : {4u, 8u, 13u, 32u}) {
    const AnyExtensions policy(width);
    for (unsigned shared = 0; shared < 64; ++shared) {
      const auto [member, query] = sharing(shared, random);
      const auto letter = policy.separate(member, query, 0);
      ASSERT_EQ(letter.has_value(), shared < width + AnyExtensions::kMaxLength) << width << " " << shared;
      if (!letter) continue;
      EXPECT_EQ(AnyExtensions::length(*letter), shared < width ? 0 : shared - width + 1);
      EXPECT_TRUE(policy.fits(policy.remainder(member, *letter), *letter, member));
      EXPECT_FALSE(policy.fits(policy.remainder(member, *letter), *letter, query));
    }
    EXPECT_FALSE(policy.separate(Hash{1, 7}, Hash{2, 7}, 0)) << "they have the same fingerprint";
  }
}

// Letters 0; 1, 2; 3 to 6; ... hold extensions of no bits, of one, of two.
TEST(Policies, ExtensionsAreNumberedByLength) {
  const AnyExtensions policy(8);
  EXPECT_EQ(policy.extension(Hash{1, 0xabff}, 0), 0u);
  EXPECT_EQ(policy.extension(Hash{1, 0xabff}, 1), 2u);   // 1
  EXPECT_EQ(policy.extension(Hash{1, 0xabff}, 3), 10u);  // 011
  EXPECT_EQ(policy.extension(Hash{1, 0x00ff}, 3), 7u);   // 000
  EXPECT_EQ(policy.remainder(Hash{1, 0xabff}, 10), 0xffu);
  for (Letter letter = 0; letter < 1000; ++letter) {
    const unsigned length = AnyExtensions::length(letter);
    EXPECT_LE(ones(length), letter);
    EXPECT_GT(ones(length + 1), letter);
  }
  // No code holds an extension of more than kMaxLength bits. Such a letter fits whatever has the remainder: doubt is
  // never absence.
  const Letter longest = static_cast<Letter>(ones(AnyExtensions::kMaxLength));
  EXPECT_FALSE(policy.fits(0xff, longest, Hash{1, 0xabff}));
  EXPECT_TRUE(policy.fits(0xff, 2 * longest + 1, Hash{1, 0xabff}));
}

TEST(Policies, AProbeComparesAsManyCandidatesAsAWordHolds) {
  EXPECT_EQ(detail::candidates(4), 8u);
  EXPECT_EQ(detail::candidates(7), 8u);
  EXPECT_EQ(detail::candidates(8), 4u);
  EXPECT_EQ(detail::candidates(9), 7u);
  EXPECT_EQ(detail::candidates(16), 4u);
  EXPECT_EQ(detail::candidates(32), 2u);
}

TEST(Letters, AreEqualIfAllOfThemAre) {
  detail::Letters a, b;
  EXPECT_TRUE(a == b);
  a.set(3, 1);
  EXPECT_FALSE(a == b);
  b.set(3, 2);
  EXPECT_FALSE(a == b);
  b.set(3, 1);
  EXPECT_TRUE(a == b);
  b.set(4, 1);
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace telescope
