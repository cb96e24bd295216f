// Golden bytes and first false positives: what is stored must not change by accident, on any target or build.
#include <cstdio>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

struct Golden {
  FilterKind kind;
  unsigned width;
  std::uint64_t bytes;                           // FNV-1a of the blocks
  std::array<std::uint64_t, 3> false_positives;  // the first, counting up from 10^6, after all that
};

std::uint64_t fnv(std::span<const std::byte> bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return h;
}

// 900 members and 20,000 negatives into 1,024 slots, then 50 erased.
Golden measure(FilterKind kind, unsigned width) {
  Twin twin(Keyed<>::make(kind, width, {.slots = 1024}, Secret{{0x7465, 0x6c65}}));
  for (std::uint64_t key = 0; key < 900; ++key) twin.insert(key);
  for (std::uint64_t key = 1000; key < 21000; ++key) twin.query(key);
  for (std::uint64_t key = 100; key < 150; ++key) twin.erase(key);
  Golden golden{kind, width, fnv(twin.filter.filter.raw()), {}};
  std::size_t found = 0;
  for (std::uint64_t key = 1'000'000; found < 3; ++key) {
    if (twin.filter.contains(key)) golden.false_positives[found++] = key;
  }
  return golden;
}

TEST(Golden, BytesAndFirstFalsePositives) {
  const Golden golden[] = {
#include "data/golden_filters.inc"
  };
  for (const Golden& want : golden) {
    const Golden got = measure(want.kind, want.width);
    EXPECT_TRUE(got.bytes == want.bytes && got.false_positives == want.false_positives)
        << to_string(want.kind) << want.width << " is now {FilterKind::" << to_string(got.kind) << ", " << got.width
        << ", " << got.bytes << "u, {" << got.false_positives[0] << ", " << got.false_positives[1] << ", "
        << got.false_positives[2] << "}},";
  }
}

}  // namespace
}  // namespace telescope::testing
