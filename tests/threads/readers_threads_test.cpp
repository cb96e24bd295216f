// Lookups are const and cache nothing: any number of threads may read one filter.
#include <atomic>
#include <thread>

#include "support/twin.hpp"

namespace telescope::testing {
namespace {

class Readers : public ::testing::TestWithParam<Form> {};

TEST_P(Readers, FindEveryMemberTogether) {
  Twin twin(Keyed<>::make(GetParam(), {.slots = 1 << 12}));
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

INSTANTIATE_TEST_SUITE_P(Every, Readers, ::testing::ValuesIn(some_forms({5, 8})), form_name);

}  // namespace
}  // namespace telescope::testing
