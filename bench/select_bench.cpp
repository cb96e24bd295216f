// Rank and select: what the machine has against the portable twins.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "telescope/detail/bits/word.hpp"

namespace {

using namespace telescope::detail::bits;

std::vector<std::uint64_t> words() {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> list(1024);
  for (auto& w : list) w = random() & random();
  return list;
}

template <class Isa>
void select(benchmark::State& state) {
  if (!has_fast() && !std::is_same_v<Isa, Portable>) return state.SkipWithError("not on this machine");
  const auto list = words();
  std::size_t i = 0;
  std::uint64_t last = 0;
  for (auto _ : state) {
    last = Isa::select_bit(list[i++ % list.size()] ^ (last & 1), 7);
    benchmark::DoNotOptimize(last);
  }
}
BENCHMARK(select<Portable>);
BENCHMARK(select<Fast>);

template <class Isa>
void rank(benchmark::State& state) {
  if (!has_fast() && !std::is_same_v<Isa, Portable>) return state.SkipWithError("not on this machine");
  const auto list = words();
  std::size_t i = 0;
  unsigned last = 0;
  for (auto _ : state) {
    last = Isa::popcount(Isa::low_bits(list[i++ % list.size()], 40 + (last & 1)));
    benchmark::DoNotOptimize(last);
  }
}
BENCHMARK(rank<Portable>);
BENCHMARK(rank<Fast>);

}  // namespace
