#include "telescope/store_key.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <tuple>

namespace telescope {
namespace {

TEST(StoreKey, BytesArePinned) {
  const std::string bytes = encode_store_key({0x0102030405060780, "key"});
  EXPECT_EQ(bytes, std::string("\x01\x02\x03\x04\x05\x06\x07\x80key"));
  EXPECT_EQ(encode_store_key({0, ""}), std::string(8, '\0'));
}

TEST(StoreKey, DecodesWhatItEncodes) {
  std::string bytes = "used before";
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{0x80}, ~std::uint64_t{0}}) {
    for (const std::string& key : {std::string(), std::string(2, '\0'), std::string("\xff\x80 key")}) {
      encode_store_key({position, key}, bytes);
      const auto decoded = decode_store_key(bytes);
      ASSERT_TRUE(decoded.has_value());
      EXPECT_EQ(decoded->position, position);
      EXPECT_EQ(decoded->key, key);
    }
  }
}

TEST(StoreKey, RefusesLessThanAPosition) {
  for (std::size_t length = 0; length < 8; ++length) {
    EXPECT_FALSE(decode_store_key(std::string(length, 'x')).has_value());
  }
  EXPECT_TRUE(decode_store_key(std::string(8, 'x')).has_value());
}

TEST(StoreKey, OrderOfBytesIsOrderOfRecords) {
  std::mt19937_64 random(1);
  const auto sign = [](auto x) { return (x > 0) - (x < 0); };
  for (int i = 0; i < 20000; ++i) {
    const auto some_key = [&] {
      std::string key(random() % 4, '\0');
      for (char& c : key) c = "\x00\x01\x7f\x80\xff"[random() % 5];
      return key;
    };
    const std::uint64_t p = random() >> (random() % 64);
    const std::uint64_t q = random() % 2 == 0 ? p : random() >> (random() % 64);
    const std::string a = some_key();
    const std::string b = some_key();
    const std::string x = encode_store_key({p, a});
    const std::string y = encode_store_key({q, b});
    int order = std::memcmp(x.data(), y.data(), std::min(x.size(), y.size()));
    if (order == 0) order = sign(static_cast<int>(x.size()) - static_cast<int>(y.size()));
    const int expected = p != q ? (p < q ? -1 : 1) : sign(a.compare(b));
    ASSERT_EQ(sign(order), expected);
  }
}

}  // namespace
}  // namespace telescope
