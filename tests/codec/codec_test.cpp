#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "paper/general_code.hpp"
#include "paper/shift_code.hpp"
#include "support/codec_laws.hpp"
#include "support/general_parameters.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace telescope {
namespace {

using detail::EventCode;
using detail::ExtensionCode;
using detail::GeneralCode;
using detail::kCodeBits;
using detail::Letters;
using detail::pick_parameters;
using detail::ShiftCode;
using test::LetterSampler;
using test::overflows;

constexpr double kEps = 1.0 / 256;
constexpr std::uint64_t kMask = (std::uint64_t{1} << kCodeBits) - 1;

Letters letters_of(const std::vector<Letter>& dense) {
  Letters letters;
  for (std::uint32_t i = 0; i < dense.size(); ++i) letters.set(i, dense[i]);
  return letters;
}

Letters placed(std::initializer_list<detail::PlacedLetter> all) {
  Letters letters;
  for (const detail::PlacedLetter& p : all) letters.set(p.index, p.letter);
  return letters;
}

template <class C>
class Codecs : public testing::Test {};

using All = testing::Types<EventCode<4>, EventCode<8>, EventCode<3>, ShiftCode, GeneralCode<1, 1>, GeneralCode<2, 3>,
                           GeneralCode<3, 4>, GeneralCode<8, 8>, GeneralCode<55, 55>, ExtensionCode>;
TYPED_TEST_SUITE(Codecs, All);

#define ASSERT_LAWFUL(what)               \
  do {                                    \
    const char* const broken = (what);    \
    ASSERT_EQ(broken, nullptr) << broken; \
  } while (false)

TYPED_TEST(Codecs, NothingIsZero) {
  EXPECT_EQ(TypeParam().encode(Letters{}), std::uint64_t{0});
  EXPECT_TRUE(TypeParam().decode(0).empty());
  EXPECT_FALSE(TypeParam().exceeds_candidates(0));
  EXPECT_EQ(TypeParam().letter_at(0, 0), 0U);
}

TEST(ExtensionCodes, NoneHoldsAnExtensionLongerThanItself) {
  for (const Letter letter : {(Letter{1} << 28) - 1, (Letter{1} << 31) - 1, ~Letter{0}}) {
    EXPECT_FALSE(ExtensionCode::encode(placed({{0, letter}}))) << letter;
  }
}

TYPED_TEST(Codecs, EveryShortString) {
  for (unsigned length = 1; length <= 6; ++length) {
    for (unsigned word = 0; word < 1U << (2 * length); ++word) {
      std::vector<Letter> dense;
      for (unsigned i = 0; i < length; ++i) dense.push_back(word >> (2 * i) & 3);
      ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(letters_of(dense)));
    }
  }
}

TYPED_TEST(Codecs, EveryLetterAtEveryIndex) {
  for (std::uint32_t index = 0; index < 300; ++index) {
    for (Letter letter = 1; letter <= 20; ++letter) {
      ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(placed({{index, letter}})));
    }
  }
}

TYPED_TEST(Codecs, EveryPairOfSlots) {
  for (std::uint32_t first = 0; first < 130; ++first) {
    for (std::uint32_t second = first + 1; second < 131; ++second) {
      for (Letter l = 1; l <= 8; l += 1 + l / 2) {
        ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(placed({{first, l}, {second, 9 - l}})));
      }
    }
  }
}

TYPED_TEST(Codecs, CodesGrowToTheBrimAndNoFurther) {
  Letters letters;
  bool full = false;
  for (std::uint32_t slot = 0; slot < Letters::kCapacity; ++slot) {
    letters.set(slot, 1);
    const auto code = TypeParam().encode(letters);
    EXPECT_FALSE(full && code) << "what did not fit must not fit with a letter more";
    full = !code;
    ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(letters));
  }
}

TYPED_TEST(Codecs, RoundTripOnTheDistributionOfThePaper) {
  for (const double c : {1.0, 10.0, 20.0, 40.0, 80.0}) {
    LetterSampler sampler = LetterSampler::corollary(kEps, c, 1);
    for (int i = 0; i < 3000; ++i) ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(sampler.block()));
  }
}

TYPED_TEST(Codecs, RoundTripInLongRegions) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    Letters letters;
    for (std::uint64_t n = random() % 12; n > 0; --n) {
      letters.set(static_cast<std::uint32_t>(random() % 400), static_cast<Letter>(1 + random() % 3));
    }
    ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(letters));
  }
}

TYPED_TEST(Codecs, AnyWordDecodes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t word = (random() & kMask) >> random() % kCodeBits;
    ASSERT_LAWFUL(test::law_broken_by_code<TypeParam>(word));
  }
}

TYPED_TEST(Codecs, StructuredWordsDecode) {
  for (unsigned bit = 0; bit <= kCodeBits; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (unsigned low = 0; low < 300; ++low) {
      ASSERT_LAWFUL(test::law_broken_by_code<TypeParam>((power + low) & kMask));
      ASSERT_LAWFUL(test::law_broken_by_code<TypeParam>((power - low) & kMask));
      ASSERT_LAWFUL(test::law_broken_by_code<TypeParam>((kMask - power + low) & kMask));
    }
  }
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    ASSERT_LAWFUL(test::law_broken_by_code<TypeParam>(byte * 0x01010101010101));
  }
}

TYPED_TEST(Codecs, WrittenCodesAreCanonical) {
  LetterSampler sampler = LetterSampler::corollary(kEps, 30, 4);
  for (int i = 0; i < 3000; ++i) {
    const auto code = TypeParam().encode(sampler.block());
    if (code) {
      EXPECT_EQ(TypeParam().encode(TypeParam().decode(*code)), code);
    }
  }
}

TYPED_TEST(Codecs, LetterAtIsTheDecodedLetter) {
  LetterSampler sampler = LetterSampler::corollary(kEps, 30, 5);
  for (int i = 0; i < 300; ++i) {
    const auto code = TypeParam().encode(sampler.block());
    if (!code) continue;
    const Letters letters = TypeParam().decode(*code);
    for (std::uint32_t index = 0; index < 70; ++index) {
      ASSERT_EQ(TypeParam().letter_at(*code, index), letters.at(index));
    }
  }
}

// Bounded time is the point: a loop over the letter's value or the index would take minutes.
TYPED_TEST(Codecs, HugeLettersAndIndexesAreAnsweredAtOnce) {
  for (const Letter huge : {1U << 20, 1U << 31, ~0U - 1, ~0U}) {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(TypeParam().encode(placed({{0, huge}, {3, huge}})), std::nullopt);
      EXPECT_EQ(TypeParam().encode(placed({{huge, 1}, {~0U, 2}})), std::nullopt);
      ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(placed({{5, huge}})));
      ASSERT_LAWFUL(test::law_broken_by_letters<TypeParam>(placed({{huge, 1}})));
    }
  }
}

TYPED_TEST(Codecs, ManyLettersDoNotFit) {
  Letters letters;
  for (std::uint32_t slot = 0; slot < Letters::kCapacity; ++slot) letters.set(slot, 2);
  EXPECT_EQ(TypeParam().encode(letters), std::nullopt);
}

// A single adaptation fits anywhere in a home region of ordinary length.
TYPED_TEST(Codecs, OneAdaptationFits) {
  constexpr bool kBitPerZero = std::is_same_v<TypeParam, GeneralCode<1, 1>>;
  for (std::uint32_t index = 0; index < (kBitPerZero ? 50 : 120); ++index) {
    EXPECT_TRUE(TypeParam().encode(placed({{index, 1}}))) << index;
  }
}

TEST(EventCode, TellsTallLetters) {
  for (Letter letter = 1; letter < 12; ++letter) {
    for (std::uint32_t index = 0; index < 64; ++index) {
      const auto code = EventCode<7>().encode(placed({{index, letter}}));
      if (code) {
        EXPECT_EQ(EventCode<7>().exceeds_candidates(*code) != 0, letter >= 7) << index << ' ' << letter;
      }
    }
  }
  EXPECT_TRUE(EventCode<7>().encode(placed({{20, 11}}))) << "selectors past the candidates have room";
}

// Place 255 means "tall" in front and "far" elsewhere, so a far first letter must not begin with it.
TEST(EventCode, ReadsAFarFirstLetter) {
  for (std::uint32_t index = 60; index < 250; ++index) {
    const auto code = EventCode<7>().encode(placed({{index, 1}}));
    ASSERT_TRUE(code) << index;
    EXPECT_EQ(EventCode<7>().decode(*code), placed({{index, 1}}));
    EXPECT_FALSE(EventCode<7>().exceeds_candidates(*code)) << index;  // or every probe of the block would decode
  }
}

// The events of the plain form are a set of fields: none of them, in whatever order, may be read in two ways.
TEST(EventCode, ReadsPlainWordsInAnyOrder) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100000; ++i) {
    const unsigned events = static_cast<unsigned>(random() % 4);
    std::uint64_t bytes = 0;
    for (unsigned k = 1; k <= events; ++k) bytes |= random() % 5 << 8 * k;  // often the same, or none
    const std::uint64_t word = detail::event::pack_event_bytes(bytes, events);
    ASSERT_TRUE(EventCode<7>::is_plain(word));
    const Letters letters = EventCode<7>().decode(word);
    unsigned found = 0, there = 0;
    for (const auto& [index, letter] : letters.placed()) {
      ASSERT_EQ(EventCode<7>().letter_at(word, index), letter);
      found += letter;
    }
    for (std::uint64_t rest = bytes; rest != 0; rest >>= 8) there += (rest & 0xff) != 0;
    ASSERT_EQ(found, there) << word;
  }
}

TEST(EventCode, ThreeEventsArePlainAndFourAreNot) {
  for (const std::uint32_t index : {0u, 1u, 63u, 100u, 124u, 125u}) {
    const auto three = EventCode<7>().encode(placed({{index, 2}, {index + 1, 1}}));
    ASSERT_TRUE(three) << index;
    EXPECT_TRUE(EventCode<7>::is_plain(*three)) << index;
  }
  for (const auto& letters : {placed({{0, 3}, {1, 1}}), placed({{126, 1}, {127, 1}}), placed({{300, 1}})}) {
    const auto listed = EventCode<7>().encode(letters);
    ASSERT_TRUE(listed);
    EXPECT_FALSE(EventCode<7>::is_plain(*listed));
  }
}

TEST(EventCode, WordsWithoutTheMarkHoldNoTallLetter) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t word = random() & kMask;
    if (EventCode<2>().exceeds_candidates(word)) continue;
    const Letters letters = EventCode<2>().decode(word);
    for (const auto& p : letters.placed()) ASSERT_EQ(p.letter, 1U);
  }
}

TEST(ShiftCode, LettersEndAtSix) {
  EXPECT_TRUE(ShiftCode().encode(placed({{0, 6}})));
  EXPECT_FALSE(ShiftCode().encode(placed({{0, 7}})));
}

TEST(ExtensionCode, HoldsEveryShortExtension) {
  for (unsigned length = 1; length <= 12; ++length) {
    for (Letter value = 0; value < 1U << length; ++value) {
      const Letters letters = placed({{3, (1U << length) + value - 1}});
      const auto code = ExtensionCode().encode(letters);
      ASSERT_TRUE(code);
      ASSERT_EQ(ExtensionCode().decode(*code), letters);
    }
  }
}

// Stored bits are a format: whoever changes these values breaks every saved filter.
template <class C>
void expect_golden(std::array<std::optional<std::uint64_t>, 5> golden) {
  const std::array<Letters, 5> samples = {
      letters_of({1}), letters_of({0, 0, 0, 2, 0, 0, 1}),    letters_of({3, 0, 1}),
      letters_of({7}), placed({{10, 1}, {63, 1}, {100, 2}}),
  };
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(C().encode(samples[i]), golden[i]) << i;
}

TEST(Golden, EventCode) {
  expect_golden<EventCode<4>>(
      {18014398509481989u, 18014398511325255u, 57913489502511002u, 67623341715422463u, 36127590506057190u});
  EXPECT_EQ(EventCode<4>().encode(letters_of({1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 2})), 54593506642303512u);
}
TEST(Golden, ShiftCode) {
  expect_golden<ShiftCode>({0xc8000000000000, 0x7895a6ce540000, 0xffba9800000000, std::nullopt, 0x10f0cf9b8399f3});
}
TEST(Golden, GeneralCode) {
  expect_golden<GeneralCode<2, 4>>(
      {0xc0000000000000, 0x6afadc00000000, 0xffe1c000000000, 0xffffffc0000000, 0x0acfec0d8b2b21});
}
TEST(Golden, ExtensionCode) {
  expect_golden<ExtensionCode>(
      {0xe8000000000000, 0xb47732ce580000, 0xf53b6000000000, 0xfa000000000000, 0x56b3b644361388});
}
TEST(Golden, EventTable) {
  std::uint64_t sum = 0;
  for (const auto& s : detail::event::kTable.steps) {
    sum = std::rotl(sum, 7) * 31 + s.weight + 256U * s.rank + 65536U * s.advance + 16777216U * s.events;
  }
  EXPECT_EQ(sum, 39652664681863212U);
}

TEST(Overflow, EventCodeOverflowsNoMoreThanThePapersCode) {
  for (const double c : {20.0, 30.0, 40.0, 50.0, 60.0}) {
    for (LetterSampler sampler : {LetterSampler::corollary(kEps, c, 7), LetterSampler::poisson(kEps, c, 7)}) {
      const auto blocks = sampler.blocks(20000);
      EXPECT_LE(overflows<EventCode<4>>(blocks), overflows<ShiftCode>(blocks)) << c;
    }
  }
}

TEST(Overflow, EventCodeHasAThirdFewerOverflowsAtFortyNegativesPerMember) {
  const auto blocks = LetterSampler::poisson(kEps, 40, 8).blocks(20000);
  EXPECT_LT(3 * overflows<EventCode<4>>(blocks), 2 * overflows<ShiftCode>(blocks));
}

// Overflows of GeneralCode<x, y> for a pair known only at run time.
template <unsigned... N>
std::size_t overflows_of(const std::vector<Letters>& blocks, unsigned x, unsigned y,
                         std::integer_sequence<unsigned, N...>) {
  constexpr unsigned kY = 6;
  std::size_t count = 0;
  ((count += N == (x - 1) * kY + y - 1 ? overflows<GeneralCode<N / kY + 1, N % kY + 1>>(blocks) : 0), ...);
  return count;
}

// The expected length decides where codes are just about full, so that is the A/S to ask for.
TEST(PickParameters, NoNeighbourOverflowsLess) {
  const auto all = std::make_integer_sequence<unsigned, 24>();
  for (const double c : {50.0, 60.0}) {
    const auto blocks = LetterSampler::corollary(kEps, c, 9).blocks(10000);
    const auto [x, y] = pick_parameters(kEps, c);
    ASSERT_TRUE(x >= 2 && x <= 3 && y >= 2 && y <= 5);
    const std::size_t picked = overflows_of(blocks, x, y, all);
    for (unsigned nx = x - 1; nx <= x + 1; ++nx) {
      for (unsigned ny = y - 1; ny <= y + 1; ++ny)
        EXPECT_LE(picked, overflows_of(blocks, nx, ny, all)) << nx << ' ' << ny;
    }
  }
}

TEST(PickParameters, FollowsTheRate) {
  EXPECT_EQ(pick_parameters(kEps, 60), (detail::GeneralParameters{2, 3}));
  EXPECT_EQ(pick_parameters(kEps, 30), (detail::GeneralParameters{3, 4}));
  EXPECT_EQ(pick_parameters(kEps, 1), (detail::GeneralParameters{8, 7}));
  unsigned before = 64;
  for (double c = 0.01; c < 2000; c *= 1.5) {
    const unsigned x = pick_parameters(kEps, c).x;
    EXPECT_LE(x, before) << "more adaptations, cheaper letters";
    before = x;
  }
}

TEST(PickParameters, AnswersAnything) {
  for (const double eps : {-1.0, 0.0, 1e-300, 0.5, 0.999999, 1.0, 2.0, HUGE_VAL, std::nan("")}) {
    for (const double c : {-1.0, 0.0, 1e-300, 1.0, 1e6, 1e300, HUGE_VAL, std::nan("")}) {
      const auto [x, y] = pick_parameters(eps, c);
      EXPECT_TRUE(x >= 1 && x < kCodeBits && y >= 1 && y < kCodeBits) << eps << ' ' << c;
    }
  }
}

}  // namespace
}  // namespace telescope
