// The time of absent lookups on the wall, reads past the page cache and a block cache that is smaller than what the
// false positives touch: the guard and RocksDB with its Bloom filter take short turns.
#include <fmt/core.h>

#include <algorithm>
#include <telescope/hash.hpp>
#include <telescope/rocksdb_store.hpp>
#include <vector>

#include "bench/guard/guard.hpp"
#include "measure/clocks.hpp"

namespace telescope::lab {
namespace {

using contest::Kind;
constexpr std::size_t kTurn = 2048;

// RocksDB with its own filter, and without the counters that told its false positives: they take time.
class Bloom {
 public:
  Bloom(const std::filesystem::path& directory, const contest::Terms& terms)
      : store_(value_of(RocksDbStore::open(directory, {.block_cache_bytes = terms.block_cache_bytes,
                                                       .direct_reads = terms.direct_reads,
                                                       .bloom_bits = terms.bloom_bits}))),
        hash_(Secret{{terms.seed, 0}}) {}

  double operator()(std::span<const std::uint64_t> keys) {
    const WallClock clock;
    for (const std::uint64_t& key : keys) {
      const std::string_view bytes(reinterpret_cast<const char*>(&key), sizeof key);
      if (value_of(store_.get({hash_(key).position, bytes}, value_))) throw LawBroken("an absent key was found");
    }
    return clock.seconds();
  }

 private:
  RocksDbStore store_;
  Xxh3 hash_;
  std::string value_;
};

// Fresh negatives until enough of them were false.
std::vector<std::uint64_t> find_liars(contest::Contestant& contestant, contest::Keys keys, std::uint64_t at,
                                      std::size_t wanted) {
  std::vector<std::uint64_t> liars;
  std::vector<std::uint64_t> chunk(kTurn);
  std::vector<std::uint8_t> read(kTurn);
  while (liars.size() < wanted) {
    for (std::uint64_t& key : chunk) key = keys[at++];
    (void)value_of(contestant.ask(chunk, read));
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (read[i] != 0) liars.push_back(chunk[i]);
    }
  }
  return liars;
}

}  // namespace

Rows measure_clock(const GuardOptions& bench, Progress& progress) {
  contest::Terms terms;
  terms.members = bench.keys;
  terms.keys = contest::Keys(bench.seed);
  terms.seed = bench.seed;
  terms.value_bytes = bench.value_bytes;
  terms.direct_reads = true;
  const std::size_t liars = static_cast<std::size_t>(std::max<std::uint64_t>(bench.keys / 50, 100));
  // A block of RocksDB has 4 KB, and each false positive lies in another.
  terms.block_cache_bytes = liars * 4096 / 8;

  const TemporaryDirectory directory(bench.directory);
  progress.show("clock: filling the stores");
  const auto guard = enter(Kind::taf, directory, terms);
  auto counted = enter(Kind::bloom, directory, terms);
  progress.show("clock: looking for false positives");
  const auto our_liars = find_liars(*guard, terms.keys, bench.keys, liars);
  const auto their_liars = find_liars(*counted, terms.keys, bench.keys, liars);
  counted.reset();
  Bloom bloom(directory / std::string(to_string(Kind::bloom)), terms);

  std::vector<std::uint64_t> turn(kTurn);
  std::vector<std::uint8_t> read(kTurn);
  // The i-th query of a stream is ours(i) for the guard and theirs(i) for RocksDB.
  const auto compare = [&](const std::string& what, auto ours, auto theirs) {
    double our_seconds = 0, their_seconds = 0, queries = 0;
    for (std::uint64_t asked = 0; asked < bench.asked; asked += kTurn, queries += kTurn) {
      progress.show(fmt::format("clock: {}, {} queries", what, asked));
      for (std::size_t i = 0; i < kTurn; ++i) turn[i] = ours(asked + i);
      our_seconds += value_of(guard->ask(turn, read));
      for (std::size_t i = 0; i < kTurn; ++i) turn[i] = theirs(asked + i);
      their_seconds += bloom(turn);
    }
    return pair_row(what, "us per absent lookup, direct I/O", 1e6 * our_seconds / queries, "RocksDB Bloom",
                    1e6 * their_seconds / queries, their_seconds / our_seconds);
  };
  const auto replayed = [](const std::vector<std::uint64_t>& some) {
    return [&some](std::uint64_t i) { return some[i % some.size()]; };
  };
  const auto fresh = [&](std::uint64_t i) { return terms.keys[(std::uint64_t{1} << 40) + i]; };
  return {compare("adversarial replay", replayed(our_liars), replayed(their_liars)),
          compare("fresh random negatives", fresh, fresh)};
}

}  // namespace telescope::lab
