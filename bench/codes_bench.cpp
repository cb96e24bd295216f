// Decode, encode and letter_at of every codec on the same sampled blocks: 64 slots, load .95, eps 1/256, by A/S.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../tests/codec_laws.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "paper/general_code.hpp"
#include "telescope/detail/codec/letters.hpp"
#include "paper/shift_code.hpp"

namespace {

using namespace telescope::detail;
using telescope::test::LetterSampler;

// More blocks than a branch predictor can learn by heart.
constexpr std::size_t kBlocks = 1 << 15;

std::vector<Letters> sample(double negatives_per_member, std::size_t count) {
  return LetterSampler::poisson(1.0 / 256, negatives_per_member, 1).blocks(count);
}

// Only blocks that fit every codec of selectors: all of them work on the same letters. The extension code overflows
// far earlier on selectors, which are not its letters, and takes those that fit it.
template <Codec C>
std::vector<std::uint64_t> codes(benchmark::State& state) {
  std::vector<std::uint64_t> all;
  std::size_t overflows = 0;
  const std::vector<Letters> blocks = sample(static_cast<double>(state.range(0)), kBlocks);
  for (const Letters& letters : blocks) {
    const auto code = C::encode(letters);
    if (!code) ++overflows;
    if (code && ShiftCode::encode(letters) && EventCode<kCandidates<8>>::encode(letters)) all.push_back(*code);
  }
  state.counters["overflow"] = static_cast<double>(overflows) / static_cast<double>(blocks.size());
  return all;
}

template <Codec C>
void decode(benchmark::State& state) {
  const std::vector<std::uint64_t> all = codes<C>(state);
  std::size_t i = 0;
  for (auto _ : state) {
    Letters letters = C::decode(all[i]);
    benchmark::DoNotOptimize(letters);
    if (++i == all.size()) i = 0;
  }
}

template <Codec C>
void letter_at(benchmark::State& state) {
  const std::vector<std::uint64_t> all = codes<C>(state);
  std::size_t i = 0;
  std::uint32_t index = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(C::letter_at(all[i], index));
    index = (index + 37) % 64;
    if (++i == all.size()) i = 0;
  }
}

template <Codec C>
void encode(benchmark::State& state) {
  const std::vector<Letters> blocks = sample(static_cast<double>(state.range(0)), 1 << 12);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(C::encode(blocks[i]));
    if (++i == blocks.size()) i = 0;
  }
}

#define TELESCOPE_BENCH_CODEC(...)                                             \
  BENCHMARK(decode<__VA_ARGS__>)->Arg(10)->Arg(20)->Arg(30)->Arg(40)->Arg(50); \
  BENCHMARK(letter_at<__VA_ARGS__>)->Arg(10)->Arg(20)->Arg(40);                \
  BENCHMARK(encode<__VA_ARGS__>)->Arg(10)->Arg(20)->Arg(40)

TELESCOPE_BENCH_CODEC(EventCode<kCandidates<8>>);
TELESCOPE_BENCH_CODEC(ShiftCode);
TELESCOPE_BENCH_CODEC(GeneralCode<2, 3>);
TELESCOPE_BENCH_CODEC(ExtensionCode);

}  // namespace

BENCHMARK_MAIN();
