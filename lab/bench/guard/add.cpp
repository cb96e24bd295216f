// Adding many records: a guard over RocksDB, and RocksDB alone, in turns; and how much memory the filter takes then.
#include <fmt/core.h>

#include <telescope/guard.hpp>
#include <telescope/rocksdb_store.hpp>
#include <vector>

#include "bench/guard/guard.hpp"
#include "measure/clocks.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

constexpr std::uint64_t kTurn = 1 << 17;

template <class Body>
double seconds_of(Body body) {
  const WallClock clock;
  body();
  return clock.seconds();
}

std::string_view bytes_of(const std::uint64_t& key) { return {reinterpret_cast<const char*>(&key), sizeof key}; }

Guard make_guard(const GuardOptions& bench, const TemporaryDirectory& directory) {
  return value_of(Guard::create(value_of(RocksDbStore::open(directory / "guard")), {.capacity = bench.many}));
}

void add_to_guard(Guard& guard, std::span<const std::uint64_t> keys, std::string_view value, std::uint64_t batch) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < keys.size(); i += batch) {
    entries.clear();
    for (const std::uint64_t& key : keys.subspan(i, std::min<std::size_t>(batch, keys.size() - i))) {
      entries.push_back({bytes_of(key), value});
    }
    (void)value_of(guard.insert(entries));
  }
}

// Under the key itself, as anybody would: eight bytes in the order of numbers.
void add_to_store(RocksDbStore& store, std::span<const std::uint64_t> keys, std::string_view value,
                  std::uint64_t batch) {
  std::vector<Write> writes;
  for (std::size_t i = 0; i < keys.size(); i += batch) {
    writes.clear();
    for (const std::uint64_t key : keys.subspan(i, std::min<std::size_t>(batch, keys.size() - i))) {
      writes.push_back({key, {}, value});
    }
    expect(store.write(writes));
  }
}

}  // namespace

Rows measure_add(const GuardOptions& bench, Progress& progress) {
  const TemporaryDirectory directory(bench.directory);
  Guard guard = make_guard(bench, directory);
  RocksDbStore store = value_of(RocksDbStore::open(directory / "plain"));
  const Keys keys(bench.seed);
  const std::string value(bench.value_bytes, 'v');
  double ours = 0, theirs = 0;  // seconds
  for (std::uint64_t done = 0; done < bench.many; done += kTurn) {
    progress.show(fmt::format("add: {} records", done));
    const auto turn = keys.range(done, std::min(kTurn, bench.many - done));
    const auto add_ours = [&] { ours += seconds_of([&] { add_to_guard(guard, turn, value, bench.batch); }); };
    const auto add_theirs = [&] { theirs += seconds_of([&] { add_to_store(store, turn, value, bench.batch); }); };
    if (done / kTurn % 2 == 0) {
      add_ours();
      add_theirs();
    } else {
      add_theirs();
      add_ours();
    }
  }
  const double rate = static_cast<double>(bench.many) / 1e6;
  const GuardInfo info = guard.info();
  if (info.members != bench.many) throw LawBroken("the guard does not hold what was added");
  const double bits = 8.0 * static_cast<double>(info.filter_bytes) / static_cast<double>(info.members);
  return {pair_row("add", "million records per second", rate / ours, "RocksDB alone", rate / theirs, theirs / ours),
          pair_row("memory of the filter", "bits per member", bits, fmt::format("11 bits at load {:.3f}", info.load),
                   11 / info.load, 11 / info.load / bits)};
}

}  // namespace telescope::lab
