// Eight lanes do what one word does.
#include <gtest/gtest.h>

#include "support/words.hpp"
#include "telescope/detail/x86/xxh3_vectors.hpp"

#if defined(TELESCOPE_HAS_V4)
#if !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wuninitialized"  // g++ 12 takes the undefined operands of its own intrinsics for mistakes
#endif

namespace telescope::detail {
namespace {

using Words8 = std::array<std::uint64_t, 8>;

TELESCOPE_V4_INLINE bits::v4::Eight read(const Words8& words) { return _mm512_loadu_si512(words.data()); }
TELESCOPE_V4_INLINE void write(Words8& words, bits::v4::Eight eight) { _mm512_storeu_si512(words.data(), eight); }

class V4 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!bits::has_v4()) GTEST_SKIP() << "the machine is not x86-64-v4";
  }
  std::mt19937_64 random{1};
};

TELESCOPE_V4 void popcounts(const Words8& words, Words8& out) { write(out, bits::v4::popcount(read(words))); }
struct Spreads {
  std::array<Words8, bits::v4::kSpreads> two;
  Words8 lowest, lower, swapped;
};
TELESCOPE_V4 void spread(const Words8& words, Spreads& out) {
  for (unsigned i = 0; i < bits::v4::kSpreads; ++i) write(out.two[i], bits::v4::spread_two(read(words), i));
  write(out.lowest, bits::v4::spread_lowest(read(words)));
  write(out.lower, bits::v4::twice_lower(read(words)));
  write(out.swapped, bits::v4::swap_halves(read(words)));
}
TELESCOPE_V4 unsigned zero_bytes(const Words8& words) { return bits::v4::has_zero_byte(read(words)); }
TELESCOPE_V4 void products(const Words8& words, std::uint64_t factor, Words8& high, Words8& low) {
  const auto product = bits::v4::multiply(read(words), factor);
  write(high, product.high);
  write(low, product.low);
}

TEST_F(V4, LanesAreWords) {
  for (int round = 0; round < 20'000; ++round) {
    const Words8 words = testing::random_words<8>(random);
    const std::uint64_t factor = testing::random_words<8>(random)[0];
    Words8 counts, high, low;
    Spreads spreads;
    popcounts(words, counts);
    spread(words, spreads);
    products(words, factor, high, low);
    const unsigned zeros = zero_bytes(words);
    for (unsigned i = 0; i < 8; ++i) {
      ASSERT_EQ(counts[i], bits::Portable::popcount(words[i]));
      const bits::Product product = bits::multiply(words[i], factor);
      ASSERT_EQ(high[i], product.high);
      ASSERT_EQ(low[i], product.low);
      bool zero = false;
      for (unsigned b = 0; b < 8; ++b) zero |= (words[i] >> 8 * b & 0xff) == 0;
      ASSERT_EQ(zeros >> i & 1, zero) << words[i];
      const auto fill = [&](unsigned b) { return (words[i] >> 8 * b & 0xff) * 0x01010101; };  // half a word
      for (unsigned b = 0; b < bits::v4::kSpreads; ++b) {
        ASSERT_EQ(spreads.two[b][i], fill(2 * b + 1) << 32 | fill(2 * b));
      }
      ASSERT_EQ(spreads.lowest[i], fill(0) << 32 | fill(0));
      ASSERT_EQ(spreads.lower[i], words[i] << 32 | (words[i] & 0xffffffff));
      ASSERT_EQ(spreads.swapped[i], words[i] << 32 | words[i] >> 32);
    }
  }
}

TELESCOPE_V4 void load_each(const std::byte* base, const Words8& at, Words8& out) {
  write(out, bits::v4::load_each(base, at.data()));
}

TEST_F(V4, LoadsAnyEightWords) {
  std::array<std::byte, 200> bytes;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  for (int round = 0; round < 1000; ++round) {
    Words8 at, out;
    for (std::uint64_t& offset : at) offset = random() % (bytes.size() - 7);
    load_each(bytes.data(), at, out);
    for (unsigned i = 0; i < 8; ++i) ASSERT_EQ(out[i], bits::load64(bytes.data() + at[i]));
  }
}

TELESCOPE_V4 void hash_eight(const Xxh3Keys& keys, Words8& position, Words8& fingerprint) {
  const auto hashes = hash_eight(keys, 0);
  write(position, hashes.position);
  write(fingerprint, hashes.fingerprint);
}

TEST_F(V4, HashesAreThoseOfSingleKeys) {
  for (int round = 0; round < 20'000; ++round) {
    const Words8 words = testing::random_words<8>(random);
    const Xxh3 hash(Secret{{random(), random()}});
    const Xxh3Keys keys(words.data(), hash);
    Words8 position, fingerprint;
    hash_eight(keys, position, fingerprint);
    for (unsigned i = 0; i < 8; ++i) {
      ASSERT_EQ(keys(i), hash(words[i]));
      ASSERT_EQ((Hash{position[i], fingerprint[i]}), hash(words[i]));
    }
  }
}

}  // namespace
}  // namespace telescope::detail
#endif
