// Every primitive against its portable twin, and against the plainest code that does the same.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "telescope/detail/bits/lane.hpp"
#include "telescope/detail/codec/plain_form.hpp"

namespace telescope::detail::bits {
namespace {

std::vector<std::uint64_t> words() {
  std::vector<std::uint64_t> list = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, 0x8000000000000001};
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    list.push_back(random());
    list.push_back(random() & random() & random());
    list.push_back(random() | random() | random());
  }
  return list;
}

TEST(Bits, SelectAndPopcount) {
  for (std::uint64_t w : words()) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      if (!(w >> bit & 1)) continue;
      ASSERT_EQ(Portable::select_bit(w, count), std::uint64_t{1} << bit);
      if (has_fast()) {
        ASSERT_EQ(Fast::select_bit(w, count), std::uint64_t{1} << bit);
      }
      ++count;
    }
    ASSERT_EQ(Portable::popcount(w), count);
    ASSERT_EQ(Portable::countr_zero(w), static_cast<unsigned>(std::countr_zero(w)));
    if (has_fast()) {
      ASSERT_EQ(Fast::popcount(w), count);
      ASSERT_EQ(Fast::countr_zero(w), static_cast<unsigned>(std::countr_zero(w)));
    }
    for (unsigned k = count; k < 64; ++k) {
      ASSERT_EQ(Portable::select_bit(w, k), 0u);
      if (has_fast()) {
        ASSERT_EQ(Fast::select_bit(w, k), 0u);
      }
    }
  }
}

TEST(Bits, Shifts) {
  const std::uint64_t word = 0x8123456789abcdef;
  for (unsigned n = 0; n < 64; ++n) {
    for (const std::uint64_t above : {std::uint64_t{0}, std::uint64_t{0x100}, std::uint64_t{0xff00}}) {
      EXPECT_EQ(Portable::low_bits(word, above + n), word & ones(n));
      if (has_fast()) {
        EXPECT_EQ(Fast::low_bits(word, above + n), word & ones(n));
      }
    }
    for (const unsigned lap : {0u, 64u, 128u}) {
      EXPECT_EQ(Portable::shift_left(word, n + lap), word << n);
      EXPECT_EQ(Portable::shift_right(word, n - lap), word >> n);
      if (has_fast()) {
        EXPECT_EQ(Fast::shift_left(word, n + lap), word << n);
        EXPECT_EQ(Fast::shift_right(word, n - lap), word >> n);
      }
    }
  }
}

template <unsigned kCandidates>
void expect_candidates(const std::byte* slots, std::uint64_t candidates) {
  std::uint32_t each = 0;
  for (unsigned k = 0; k < kCandidates; ++k) {
    for (unsigned s = 0; s < kCandidateSlots; ++s) {
      each |= std::uint32_t{slots[s] == static_cast<std::byte>(candidates >> (8 * k))} << (4 * k + s);
    }
  }
  ASSERT_EQ(equal_candidates_baseline<kCandidates>(slots, candidates), each);
  if (has_fast()) {
    ASSERT_EQ((equal_candidates<Fast, kCandidates>(slots, candidates)), each);
  }
  ASSERT_EQ(equal_candidates_portable<kCandidates>(slots, candidates), each);
}

TEST(Bits, Comparisons) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::byte slots[kEqualSlots];
    for (std::byte& b : slots) b = static_cast<std::byte>(random() % 5 == 0 ? random() % 4 : random());
    std::uint64_t candidates = random();
    if (i % 2) candidates = (candidates & ~std::uint64_t{0xff}) | static_cast<std::uint64_t>(slots[i % 4]);
    if (i % 3 == 0) candidates ^= (candidates & 0xff) << 24 ^ (candidates & 0xff000000);  // two that are the same
    std::uint32_t equal = 0;
    for (unsigned s = 0; s < kEqualSlots; ++s)
      equal |= std::uint32_t{slots[s] == static_cast<std::byte>(candidates)} << s;
    ASSERT_EQ(equal_bytes(slots, static_cast<std::uint8_t>(candidates)), equal);
    ASSERT_EQ(equal_bytes_portable(slots, static_cast<std::uint8_t>(candidates)), equal);
    expect_candidates<4>(slots, candidates);
    expect_candidates<8>(slots, candidates);
  }
}

TEST(Bits, CountBytes) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t word = random() & 0x0301030103010301;
    const auto byte = static_cast<std::uint8_t>(random() & 3);
    std::uint32_t count = 0;
    for (unsigned k = 0; k < 8; ++k) count += (word >> 8 * k & 0xff) == byte;
    ASSERT_EQ(count_bytes(word, byte), count);
    ASSERT_EQ(count_bytes_portable(word, byte), count);
  }
}

TEST(Bits, IfBit) {
  const std::byte a{}, b{};
  for (unsigned n = 0; n < 320; ++n) {
    const std::byte* const by_32 = n % 64 >= 32 ? &a : &b;
    const std::byte* const by_64 = n % 128 >= 64 ? &a : &b;
    EXPECT_EQ(Portable::if_bit<5>(n, &a, &b), by_32);
    EXPECT_EQ(Portable::if_bit<6>(n, &a, &b), by_64);
    if (has_fast()) {
      EXPECT_EQ(Fast::if_bit<5>(n, &a, &b), by_32);
      EXPECT_EQ(Fast::if_bit<6>(n, &a, &b), by_64);
    }
  }
}

TEST(Bits, RunSpan) {
  std::mt19937_64 random(9);
  const auto is_none = [](const RunSpan& span) { return span.first <= 64 && span.ones >> 63 != 0; };
  for (int i = 0; i < 3000; ++i) {
    std::uint64_t word = random();
    for (int thinner = i % 5; thinner > 0; --thinner) word &= random();
    unsigned first = 0, k = 0;
    for (unsigned bit = 0; bit < 63; ++bit) {
      if ((word >> bit & 1) == 0) continue;
      const RunSpan expected{.first = first, .ones = ones(bit + 1 - first)};
      for (const RunSpan& span : {Portable::run_span(word, k), has_fast() ? Fast::run_span(word, k) : expected}) {
        ASSERT_EQ(span.first, expected.first);
        ASSERT_EQ(span.ones, expected.ones);
      }
      first = bit + 1;
      ++k;
    }
    for (; k < 64; ++k) {
      ASSERT_TRUE(is_none(Portable::run_span(word, k)));
      if (has_fast()) {
        ASSERT_TRUE(is_none(Fast::run_span(word, k)));
      }
    }
  }
}

TEST(Bits, AddBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t word = random(), sum = random() % 64;
    const auto n = static_cast<unsigned>(random() % 64);
    ASSERT_EQ(Portable::add_bit(sum, word, n), sum + (word >> n & 1));
    if (has_fast()) {
      ASSERT_EQ(Fast::add_bit(sum, word, n), sum + (word >> n & 1));
    }
  }
}

TEST(Bits, SlotsSelected) {
  std::mt19937_64 random(5);
  unsigned found = 0;
  for (int i = 0; i < 50000; ++i) {
    std::uint64_t each[kCandidateSlots], events = 0;
    for (unsigned k = 2; k < 8; ++k) events |= (random() % 5) << 8 * k;
    const auto hits = static_cast<std::uint32_t>(random() & random());
    unsigned selected = 0;
    for (unsigned s = 0; s < kCandidateSlots; ++s) {
      const std::uint64_t number = 1 + random() % 5;
      each[s] = Fields<8>().broadcast(number);
      unsigned letter = 0;
      for (unsigned k = 1; k < 8; ++k) letter += (events >> 8 * k & 0xff) == number;
      selected |= (hits >> (4 * letter + s) & 1) << s;
    }
    found += selected != 0;
    ASSERT_EQ(event::slots_selected_baseline(hits, each, events), selected);
    if (has_fast()) {
      ASSERT_EQ(event::slots_selected<Fast>(hits, each, events), selected);
    }
  }
  EXPECT_GT(found, 10000u);
  EXPECT_LT(found, 40000u);
}

TEST(Bits, SlotsPassed) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 50000; ++i) {
    const auto size = static_cast<unsigned>(random() % (i % 2 == 0 ? 6 : 54));
    const std::uint64_t bits = random() & ones(size);
    const std::uint64_t entries = i % 50 == 0 ? 0 : bits | std::uint64_t{1} << size;
    for (unsigned query_bit = 0; query_bit < 2; ++query_bit) {
      unsigned passed = 0;
      for (unsigned s = 0; s < kCandidateSlots; ++s) {
        const bool known = entries != 0 && s < size;
        passed |= unsigned{!known || (bits >> s & 1) == query_bit} << s;
      }
      ASSERT_EQ(event::slots_passed(entries, query_bit) & 15, passed) << entries;
    }
  }
}

TEST(Bits, ShiftBytesUp) {
  std::mt19937_64 random(3);
  for (unsigned from = 0; from < 64; ++from) {
    for (unsigned to = from; to < 64; ++to) {
      std::array<std::byte, 66> a;
      for (auto& b : a) b = static_cast<std::byte>(random());
      auto twin = a, baseline = a;
      shift_bytes_up(a.data() + 1, from, to);
      shift_bytes_up_baseline(baseline.data() + 1, from, to);
      shift_bytes_up_portable(twin.data() + 1, from, to);
      ASSERT_EQ(a, twin) << from << ' ' << to;
      ASSERT_EQ(baseline, twin) << from << ' ' << to;
    }
  }
}

#if defined(TELESCOPE_HAS_V4)
TEST(Bits, ShiftBytesUpV3) {
  if (!has_fast()) GTEST_SKIP();
  std::mt19937_64 random(4);
  for (unsigned from = 0; from < 64; ++from) {
    for (unsigned to = from; to < 64; ++to) {
      std::array<std::byte, 66> a;
      for (auto& b : a) b = static_cast<std::byte>(random());
      auto twin = a;
      shift_bytes_up_v3(a.data() + 1, from, to);
      shift_bytes_up_portable(twin.data() + 1, from, to);
      ASSERT_EQ(a, twin) << from << ' ' << to;
    }
  }
}
#endif

TEST(Bits, ZeroBytes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::array<std::byte, 66> a;  // with a guard on either side
    const std::uint64_t few = 1 + random() % 4;
    for (auto& b : a) b = static_cast<std::byte>(random() % few == 0 ? 0 : 1u << random() % 8);
    a.front() = a.back() = std::byte{0};
    const std::uint64_t zeros = zero_bytes_portable(a.data() + 1);
    for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(zeros >> i & 1, a[1 + i] == std::byte{0});
    ASSERT_EQ(zero_bytes_baseline(a.data() + 1), zeros);
    ASSERT_EQ(zero_bytes(a.data() + 1), zeros);
  }
}

TEST(Bits, SetLate) {
  std::mt19937_64 random(6);
  for (unsigned i = 0; i < 64; ++i) {
    for (int round = 0; round < 10; ++round) {
      std::array<std::byte, 66> a;  // with a guard on either side
      for (auto& b : a) b = static_cast<std::byte>(random());
      auto twin = a;
      const std::uint64_t value = random() & 0xff;
      Lane<8>().set_masked(a.data() + 1, i, value);
      Lane<8>().set(twin.data() + 1, i, value);
      ASSERT_EQ(a, twin) << i;
    }
  }
}

#if defined(TELESCOPE_HAS_V4)
TEST(Bits, StoreByteV3) {
  if (!has_fast()) GTEST_SKIP();
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 64; ++i) {
    std::array<std::byte, 66> a;
    for (auto& b : a) b = static_cast<std::byte>(random());
    auto twin = a;
    const std::uint64_t value = random() & 0xff;
    store_byte_v3(a.data() + 1, i, value);
    twin[1 + i] = static_cast<std::byte>(value);
    ASSERT_EQ(a, twin) << i;
  }
}
#endif

// Widths that are known to the compiler, and the same as numbers.
template <unsigned R>
using Fixed = std::integral_constant<unsigned, R>;
template <class R>
class Widths : public ::testing::Test {};
using Known = ::testing::Types<Fixed<4>, Fixed<5>, Fixed<8>, Fixed<9>, Fixed<13>, Fixed<16>, Fixed<31>, Fixed<32>,
                               Fixed<kAnyWidth>>;
TYPED_TEST_SUITE(Widths, Known);

template <class Body>
void for_each_width(unsigned known, Body body) {
  if (known != kAnyWidth) return body(known);
  for (unsigned width = kMinWidth; width <= kMaxWidth; ++width) body(width);
}

TYPED_TEST(Widths, LanesMoveAsAVectorWould) {
  for_each_width(TypeParam::value, [](unsigned width) {
    const Lane<TypeParam::value> lanes(width);
    std::mt19937_64 random(width);
    std::vector<std::byte> memory(lanes.bytes() + 2, std::byte{0xa5});  // with a guard on either side
    std::byte* const lane = memory.data() + 1;
    std::vector<std::uint64_t> twin(64);
    for (unsigned i = 0; i < 64; ++i) lanes.set(lane, i, twin[i] = random() & ones(width));
    for (int round = 0; round < 1500; ++round) {
      unsigned from = static_cast<unsigned>(random() % 64), to = static_cast<unsigned>(random() % 64);
      if (from > to) std::swap(from, to);
      if (round % 2) {
        lanes.shift_up(lane, from, to);
        for (unsigned i = to; i > from; --i) twin[i] = twin[i - 1];
      } else {
        lanes.shift_down(lane, from, to);
        for (unsigned i = from; i < to; ++i) twin[i] = twin[i + 1];
      }
      const unsigned at = static_cast<unsigned>(random() % 64);
      lanes.set(lane, at, twin[at] = random() & ones(width));
      for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(lanes.get(lane, i), twin[i]) << "field " << i << " round " << round;
    }
    EXPECT_EQ(memory.front(), std::byte{0xa5});
    EXPECT_EQ(memory.back(), std::byte{0xa5});
  });
}

TYPED_TEST(Widths, HasZeroIsExact) {
  for_each_width(TypeParam::value, [](unsigned width) {
    const Fields<TypeParam::value> fields(width);
    std::mt19937_64 random(width);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t w = random() & random();
      bool zero = false;
      for (unsigned k = 0; k < 64 / width; ++k) zero |= (w >> (k * width) & ones(width)) == 0;
      ASSERT_EQ(fields.has_zero(w), zero);
    }
  });
}

}  // namespace
}  // namespace telescope::detail::bits
