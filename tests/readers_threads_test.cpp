// Lookups are const and cache nothing: any number of threads may read one filter.
#include <atomic>
#include <thread>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

template <class F>
class Readers : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<8>, Utaf<8>, Exaf<8>>;
TYPED_TEST_SUITE(Readers, Filters);

TYPED_TEST(Readers, FindEveryMemberTogether) {
  Twin twin(*TypeParam::create({.slots = 1 << 12}, Xxh3(Secret{{1, 2}})));
  std::mt19937_64 random(1);
  twin.fill(0.95, random);
  for (int i = 0; i < 40'000; ++i) twin.query(random());
  const std::vector<std::uint64_t> keys(twin.keys.begin(), twin.keys.end());
  const auto& filter = twin.filter;
  std::atomic<std::size_t> lost = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::vector<std::uint8_t> out(keys.size());
      filter.contains(keys, out);
      for (std::size_t i = 0; i < keys.size(); ++i) lost += !out[i] || !filter.contains(keys[i]);
    });
  }
  threads.clear();
  EXPECT_EQ(lost, 0u);
}

}  // namespace
}  // namespace telescope::testing
