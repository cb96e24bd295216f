// The store on RocksDB: filling it with records of 24-byte keys in random order, in batches of 1024 or sorted in bulk;
// then reads. The directory is TELESCOPE_BENCH_DIR, or one under the system's for temporary files.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "telescope/rocksdb_store.hpp"

namespace {

using namespace telescope;
namespace fs = std::filesystem;

constexpr std::size_t kBatch = 1024;
constexpr char kValue[33] = "32 bytes of value for the record";

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Key {
  std::uint64_t position;
  char bytes[25];
  explicit Key(std::uint64_t number) : position(mix(number + 0x9e3779b97f4a7c15)) {
    (void)std::snprintf(bytes, sizeof bytes, "%024llu", static_cast<unsigned long long>(number));
  }
  operator RecordKey() const { return {position, {bytes, 24}}; }
};

fs::path fresh_directory() {
  const char* given = std::getenv("TELESCOPE_BENCH_DIR");
  const fs::path path = (given != nullptr ? fs::path(given) : fs::temp_directory_path()) / "telescope_store_bench";
  fs::remove_all(path);
  return path;
}

RocksDbStore opened(const fs::path& path) {
  RocksDbOptions options;
  options.bloom_bits = std::getenv("TELESCOPE_BENCH_BLOOM") != nullptr ? 10 : 0;
  return std::move(RocksDbStore::open(path, options)).value();
}

bool fill(RocksDbStore& store, std::uint64_t first, std::uint64_t count) {
  std::vector<Key> keys;
  std::vector<Write> writes;
  for (std::uint64_t done = 0; done < count; done += keys.size()) {
    keys.clear();
    writes.clear();
    for (std::uint64_t i = done; i < std::min<std::uint64_t>(done + kBatch, count); ++i) keys.emplace_back(first + i);
    for (const Key& key : keys) writes.push_back({key.position, {key.bytes, 24}, std::string_view(kValue, 32)});
    if (!store.write(writes)) return false;
  }
  return true;
}

void random_fill(benchmark::State& state) {
  const auto count = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    auto store = opened(fresh_directory());
    state.ResumeTiming();
    if (!fill(store, 0, count)) state.SkipWithError("write failed");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sorted_ingest(benchmark::State& state) {
  std::vector<Key> keys;
  for (std::int64_t i = 0; i < state.range(0); ++i) keys.emplace_back(static_cast<std::uint64_t>(i));
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.position < b.position; });
  for (auto _ : state) {
    state.PauseTiming();
    auto store = opened(fresh_directory());
    state.ResumeTiming();
    std::size_t i = 0;
    const auto done = store.ingest([&]() -> std::optional<Record> {
      if (i == keys.size()) return std::nullopt;
      const Key& key = keys[i++];
      return Record{key.position, {key.bytes, 24}, {kValue, 32}};
    });
    if (!done) state.SkipWithError(done.error().what.c_str());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

RocksDbStore& filled(std::int64_t count) {
  static RocksDbStore store = opened(fresh_directory());
  static const bool done = fill(store, 0, static_cast<std::uint64_t>(count)) && store.compact().ok();
  if (!done) std::abort();
  return store;
}

template <bool kPresent>
void get(benchmark::State& state) {
  RocksDbStore& store = filled(state.range(0));
  std::string value;
  std::uint64_t i = 0;
  for (auto _ : state) {
    const std::uint64_t number = mix(++i) % static_cast<std::uint64_t>(state.range(0));
    const auto found = store.get(Key(number + (kPresent ? 0 : static_cast<std::uint64_t>(state.range(0)))), value);
    if (!found.ok() || *found != kPresent) state.SkipWithError("wrong answer");
  }
  state.SetItemsProcessed(state.iterations());
}

// A range of two records on average, as a filter at load .95 asks for.
void scan(benchmark::State& state) {
  RocksDbStore& store = filled(state.range(0));
  const std::uint64_t width = 2 * (~std::uint64_t{0} / static_cast<std::uint64_t>(state.range(0)));
  std::uint64_t i = 0;
  std::uint64_t seen = 0;
  for (auto _ : state) {
    const std::uint64_t first = mix(++i);
    const auto done = store.scan(first, std::max(first, first + width), [&](const Record&) { return ++seen > 0; });
    if (!done.ok()) state.SkipWithError("scan failed");
  }
  state.counters["records"] = benchmark::Counter(static_cast<double>(seen), benchmark::Counter::kAvgIterations);
}

BENCHMARK(random_fill)->Arg(1'000'000)->Arg(10'000'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(sorted_ingest)->Arg(10'000'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(get<true>)->Arg(1'000'000)->Name("get_present")->Unit(benchmark::kMicrosecond);
BENCHMARK(get<false>)->Arg(1'000'000)->Name("get_absent")->Unit(benchmark::kMicrosecond);
BENCHMARK(scan)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

}  // namespace
