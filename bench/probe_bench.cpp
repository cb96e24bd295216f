// One probe of a filter that fits the caches: the instructions, without the memory.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "telescope/filter.hpp"

namespace {

using namespace telescope;

constexpr std::uint64_t kSlots = 1 << 16;

template <class F>
F filled() {
  auto made = F::create({.slots = kSlots}, Xxh3(Secret{{1, 2}}));
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < kSlots * 95 / 100; ++i) {
    if (!made->insert(random())) std::abort();
  }
  return std::move(*made);
}

std::vector<std::uint64_t> keys(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> list(kSlots / 2);
  for (auto& key : list) key = random();
  return list;
}

template <class F>
void negative(benchmark::State& state) {
  const auto filter = filled<F>();
  const auto list = keys(2);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(filter.contains(list[i++ % list.size()]));
}
BENCHMARK(negative<Rsqf<8>>);
BENCHMARK(negative<Taf<8>>);
BENCHMARK(negative<Exaf<8>>);
BENCHMARK(negative<Utaf<8>>);
BENCHMARK(negative<Taf<12>>);

template <class F>
void positive(benchmark::State& state) {
  const auto filter = filled<F>();
  const auto list = keys(1);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(filter.contains(list[i++ % list.size()]));
}
BENCHMARK(positive<Rsqf<8>>);
BENCHMARK(positive<Taf<8>>);

template <class F>
void batch(benchmark::State& state) {
  const auto filter = filled<F>();
  const auto list = keys(2);
  std::vector<std::uint8_t> out(list.size());
  for (auto _ : state) {
    filter.contains(list, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(list.size()) * state.iterations());
}
BENCHMARK(batch<Rsqf<8>>);
BENCHMARK(batch<Taf<8>>);

}  // namespace
