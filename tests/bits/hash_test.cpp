// The laws of KeyHash over every policy, and the golden values that pin each.
#include "telescope/hash.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/murmur3.hpp"

namespace telescope {
namespace {

constexpr Secret kSecret{{0x0123456789abcdefULL, 0xfedcba9876543210ULL}};

std::array<std::byte, 8> little_endian(std::uint64_t word) {
  std::array<std::byte, 8> bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(word >> 8 * i & 0xff);
  return bytes;
}

template <class H>
class KeyHashLaws : public testing::Test {};
using Policies = testing::Types<Xxh3, Murmur3, SipHash>;
TYPED_TEST_SUITE(KeyHashLaws, Policies);

TYPED_TEST(KeyHashLaws, AWordHashesAsItsLittleEndianBytes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const TypeParam hash(Secret{{random(), random()}});
    const std::uint64_t key = i < 100 ? static_cast<std::uint64_t>(i) : random();
    const auto bytes = little_endian(key);
    ASSERT_EQ(hash(key), hash(std::span<const std::byte>(bytes))) << key;
  }
}

TYPED_TEST(KeyHashLaws, AStringHashesAsItsBytesAtEveryLengthAndAlignment) {
  const TypeParam hash(kSecret);
  std::string buffer(600, '\0');
  for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = static_cast<char>(i * 37 % 251);
  std::set<std::uint64_t> positions;
  for (std::size_t length = 0; length <= 300; ++length) {
    const std::string_view text(buffer.data(), length);
    EXPECT_EQ(hash(text), hash(std::as_bytes(std::span(text))));
    const std::string moved = "x" + std::string(text);
    EXPECT_EQ(hash(text), hash(std::string_view(moved).substr(1)));
    positions.insert(hash(text).position);
  }
  EXPECT_EQ(positions.size(), 301U) << "prefixes of one text must not collide";
}

TYPED_TEST(KeyHashLaws, EmptyKeysAreKeys) {
  const TypeParam hash(kSecret);
  EXPECT_EQ(hash(std::string_view()), hash(std::string_view("")));
  EXPECT_EQ(hash(std::span<const std::byte>()), hash(std::string_view("")));
}

TYPED_TEST(KeyHashLaws, TheSecretIsAllTheState) {
  const TypeParam hash;
  const TypeParam again(hash.secret());
  const TypeParam other;
  EXPECT_EQ(hash("key"), again("key"));
  EXPECT_EQ(hash(std::uint64_t{7}), again(std::uint64_t{7}));
  EXPECT_NE(hash.secret(), other.secret());
  EXPECT_NE(hash("key"), other("key"));
  EXPECT_NE(hash(std::uint64_t{7}), other(std::uint64_t{7}));
}

TYPED_TEST(KeyHashLaws, TheNameIsTheNameOfItsKind) {
  if constexpr (requires { TypeParam::kKind; }) {
    EXPECT_EQ(TypeParam::kName, to_string(TypeParam::kKind));
    EXPECT_EQ(parse_hash_kind(TypeParam::kName), TypeParam::kKind);
  } else {
    EXPECT_EQ(parse_hash_kind(TypeParam::kName), std::nullopt);  // a policy of one's own
  }
}

// Both words of hashes of counting keys, over many seeds: no bit is stuck, no bit of one word follows a bit of the
// other. The small seeds are the ones that break MurmurHash3 on short keys: under seed 8 its first word is always even.
TYPED_TEST(KeyHashLaws, NoBitIsStuckUnderAnySeed) {
  constexpr int kKeys = 1024;
  constexpr int kSlack = 6 * 16;  // six standard deviations of 1024 fair coins
  std::vector<std::uint64_t> seeds{0xffffffff, 0x80000000, 1ULL << 32, ~0ULL};
  for (std::uint64_t seed = 0; seed < 64; ++seed) seeds.push_back(seed);
  for (std::uint64_t seed : seeds) {
    const TypeParam hash(Secret{{seed, 0}});
    std::array<int, 64> position{}, source{}, equal{};
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      const Hash h = hash(key);
      for (std::size_t bit = 0; bit < 64; ++bit) {
        position[bit] += static_cast<int>(h.position >> bit & 1);
        source[bit] += static_cast<int>(h.fingerprint >> bit & 1);
        equal[bit] += static_cast<int>(~(h.position ^ h.fingerprint) >> bit & 1);
      }
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
      EXPECT_NEAR(position[bit], kKeys / 2, kSlack) << "seed " << seed << " bit " << bit;
      EXPECT_NEAR(source[bit], kKeys / 2, kSlack) << "seed " << seed << " bit " << bit;
      EXPECT_NEAR(equal[bit], kKeys / 2, kSlack) << "seed " << seed << " bit " << bit;
    }
  }
}

// What a filter does with the words: the quotient from the top of P, a remainder from an end of W. Chi-square over the
// 256 x 256 pairs of counting keys, which are the least random keys there are.
TYPED_TEST(KeyHashLaws, QuotientAndRemainderAreIndependent) {
  constexpr std::size_t kCells = 256 * 256;
#ifdef TELESCOPE_SANITIZED
  constexpr std::uint64_t kKeys = 8 * kCells;
#else
  constexpr std::uint64_t kKeys = 32 * kCells;
#endif
  const TypeParam hash(kSecret);
  std::vector<unsigned> low(kCells), high(kCells);
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const Hash h = hash(key);
    ++low[(h.position >> 56) << 8 | (h.fingerprint & 0xff)];
    ++high[(h.position >> 56) << 8 | h.fingerprint >> 56];
  }
  const auto chi_square = [](const std::vector<unsigned>& counts) {
    const double expected = static_cast<double>(kKeys) / kCells;
    double sum = 0;
    for (unsigned count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
  };
  constexpr double kSlack = 6 * 362;  // six standard deviations: sqrt(2 x 65535)
  EXPECT_NEAR(chi_square(low), kCells - 1, kSlack);
  EXPECT_NEAR(chi_square(high), kCells - 1, kSlack);
}

TEST(Xxh3, TheInlineCaseEqualsTheLibrary) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> edges{0, 1, ~0ULL, 0x8000000000000000ULL, 0xffffffffULL, 0xffffffff00000000ULL};
  const auto pick = [&](int i) { return i % 8 == 0 ? edges[random() % edges.size()] : random(); };
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t seed = pick(i);
    const std::uint64_t key = pick(i / 8);
    const auto bytes = little_endian(key);
    const XXH128_hash_t expected = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    const Hash actual = Xxh3(Secret{{seed, 0}})(key);
    ASSERT_EQ(actual, (Hash{expected.high64, expected.low64})) << "key " << key << " seed " << seed;
  }
}

TEST(SipHash, MatchesThePublishedVectors) {
  // vectors_sip128 of the reference implementation: key 00 01 .. 0f, message 00 01 .. (n - 1).
  const SipHash hash(Secret{{0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL}});
  EXPECT_EQ(hash(""), (Hash{0xe6a825ba047f81a3ULL, 0x930255c71472f66dULL}));
  EXPECT_EQ(hash(std::string_view("\0", 1)), (Hash{0x44af996bd8c187daULL, 0x45fc229b11597634ULL}));
}

TEST(HashKind, ParsesOnlyItsNames) {
  EXPECT_EQ(parse_hash_kind("xxh3"), HashKind::xxh3);
  EXPECT_FALSE(parse_hash_kind(""));
  EXPECT_FALSE(parse_hash_kind("XXH3"));
  EXPECT_FALSE(parse_hash_kind("unknown"));
}

// Golden values: stores keep their members in order of P, so these must never change.
struct Golden {
  Hash empty, text, long_text, word;
};

template <class H>
void expect_golden(Secret secret, const Golden& golden) {
  const H hash(secret);
  EXPECT_EQ(hash(""), golden.empty);
  EXPECT_EQ(hash("telescope"), golden.text);
  EXPECT_EQ(hash(std::string(300, 'a')), golden.long_text);
  EXPECT_EQ(hash(std::uint64_t{42}), golden.word);
}

TEST(Golden, Xxh3) {  // with secret zero: `xxhsum -H2` prints position, then source
  expect_golden<Xxh3>(Secret{}, {{0x99aa06d3014798d8ULL, 0x6001c324468d497fULL},
                                 {0x2e80ff8f2719c782ULL, 0x6d9ec63f92fd2d02ULL},
                                 {0x5e563f2cb28d2005ULL, 0xc1d17581d8eb7e21ULL},
                                 {0x9bab3e2f55e1fe86ULL, 0x61c2164e8b895a45ULL}});
  expect_golden<Xxh3>(kSecret, {{0xa4cb05dbbf09907aULL, 0xaaa287af24a9bb3aULL},
                                {0xa2c10cae0c47053bULL, 0x3b0869b8df33b784ULL},
                                {0xb6e82b74857596e0ULL, 0xf07e5e61db4f1a0eULL},
                                {0xe27a8ab65c0b8203ULL, 0x38152bab08f26dd6ULL}});
}

TEST(Golden, Murmur3) {
  expect_golden<Murmur3>(Secret{{9, 0}}, {{0x73269217e5476f20ULL, 0xf1fa3fc86728ca0cULL},
                                          {0xb7bb7ce9e3a5ab20ULL, 0xb4d16a3a6fa924abULL},
                                          {0x922321c8adc10449ULL, 0x702ce30b8d405cd9ULL},
                                          {0xdede1d81a878b159ULL, 0xf143462fdc42650eULL}});
  expect_golden<Murmur3>(kSecret, {{0x8314a78470f3fec4ULL, 0x169249dd5eee2e0fULL},
                                   {0x874bb648acbd7903ULL, 0x68095551958f587fULL},
                                   {0x55435d29e5cd2ae4ULL, 0x4121a141f02c613bULL},
                                   {0xf2319e25a3cc5d4cULL, 0x8951093c7b200e8bULL}});
  expect_golden<Murmur3>(Secret{}, {{0x6af1df4d9d3bc9ecULL, 0x857421121ee6446bULL},  // seed 0 becomes 0xffffffff
                                    {0x1968c189ee5b7549ULL, 0x2b8f3f296223991bULL},
                                    {0x8e2a3b9e81121fe3ULL, 0x0dcfebcdf7f2d0b2ULL},
                                    {0x830d7109d87cc869ULL, 0xc3fe7298bc0312f8ULL}});
}

TEST(Golden, SipHash) {
  expect_golden<SipHash>(kSecret, {{0x4f80402369e69a6bULL, 0xe9f1becf387b4a45ULL},
                                   {0x219eaab9ba5e4e33ULL, 0xf03f1054c238bbf8ULL},
                                   {0x4e12e9c071471271ULL, 0x4f5afe3581135c74ULL},
                                   {0x51095edc89af12e3ULL, 0x9f983f10e744afb9ULL}});
}

}  // namespace
}  // namespace telescope
