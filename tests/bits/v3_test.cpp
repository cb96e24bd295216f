// Four lanes do what one word does.
#include <gtest/gtest.h>

#include "support/words.hpp"
#include "telescope/detail/x86/xxh3_vectors.hpp"

#if defined(TELESCOPE_HAS_V3)
namespace telescope::detail {
namespace {

using Words4 = std::array<std::uint64_t, 4>;

class V3 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!bits::has_fast()) GTEST_SKIP() << "the machine is not x86-64-v3";
  }
  std::mt19937_64 random{1};
};

TELESCOPE_V3 void products(const Words4& words, std::uint64_t factor, Words4& high, Words4& low, Words4& low_alone) {
  const bits::v3::Four four = bits::v3::load(words.data());
  const auto product = bits::v3::multiply(four, factor);
  bits::v3::store(high.data(), product.high);
  bits::v3::store(low.data(), product.low);
  bits::v3::store(low_alone.data(), bits::v3::multiply_low(four, factor));
}
TELESCOPE_V3 void middles(const Words4& words, std::uint32_t factor, Words4& out) {
  bits::v3::store(out.data(), bits::v3::multiply_middle(bits::v3::load(words.data()), factor));
}

TEST_F(V3, ProductsAreThoseOfWords) {
  for (int round = 0; round < 20'000; ++round) {
    const Words4 words = testing::random_words<4>(random);
    const std::uint64_t factor = testing::random_words<1>(random)[0];
    Words4 high, low, low_alone, middle;
    products(words, factor, high, low, low_alone);
    middles(words, static_cast<std::uint32_t>(factor), middle);
    for (unsigned i = 0; i < 4; ++i) {
      const bits::Product product = bits::multiply(words[i], factor);
      ASSERT_EQ(high[i], product.high);
      ASSERT_EQ(low[i], product.low);
      ASSERT_EQ(low_alone[i], product.low);
      const bits::Product by_half = bits::multiply(words[i], static_cast<std::uint32_t>(factor));
      ASSERT_EQ(middle[i], by_half.high << 32 | by_half.low >> 32);
    }
  }
}

TELESCOPE_V3 void hash_four(const Xxh3Keys& keys, std::size_t from, Words4& position, Words4& fingerprint) {
  const auto hashes = hash_four(keys, from);
  bits::v3::store(position.data(), hashes.position);
  bits::v3::store(fingerprint.data(), hashes.fingerprint);
}

TEST_F(V3, HashesAreThoseOfSingleKeys) {
  for (int round = 0; round < 20'000; ++round) {
    const auto words = testing::random_words<7>(random);
    const Xxh3 hash(Secret{{random(), random()}});
    const Xxh3Keys keys(words.data(), hash);
    const std::size_t from = random() % 4;
    Words4 position, fingerprint;
    hash_four(keys, from, position, fingerprint);
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ((Hash{position[i], fingerprint[i]}), hash(words[from + i]));
  }
}

}  // namespace
}  // namespace telescope::detail
#endif
