// The time of absent lookups on the wall, reads past the page cache and a block cache that is smaller than what the
// false positives touch: the guard and RocksDB with its Bloom filter take short turns.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "guard.hpp"

namespace telescope::lab {
namespace {

using contest::Kind;
constexpr std::size_t kTurn = 2048;

struct Side {
  std::unique_ptr<contest::Contestant> contestant;
  std::vector<std::uint64_t> liars;  // its false positives
  double seconds = 0;

  void ask(std::span<const std::uint64_t> keys) {
    std::vector<std::uint8_t> read(keys.size());
    seconds += value_of(contestant->ask(keys, read));
  }
};

// Fresh negatives until enough of them were false.
void find_liars(Side& side, contest::Keys keys, std::uint64_t at, std::size_t wanted) {
  std::vector<std::uint64_t> chunk(kTurn);
  std::vector<std::uint8_t> read(kTurn);
  while (side.liars.size() < wanted) {
    for (std::uint64_t& key : chunk) key = keys[at++];
    (void)value_of(side.contestant->ask(chunk, read));
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (read[i] != 0) side.liars.push_back(chunk[i]);
    }
  }
}

}  // namespace

Rows measure_clock(const GuardBench& bench, Progress& progress) {
  contest::Terms terms;
  terms.members = bench.keys;
  terms.keys = contest::Keys(bench.seed);
  terms.seed = bench.seed;
  terms.value_bytes = bench.value_bytes;
  terms.direct_reads = true;
  const std::size_t liars = static_cast<std::size_t>(std::max<std::uint64_t>(bench.keys / 50, 100));
  // A block of RocksDB has 4 KB, and each false positive lies in another.
  terms.block_cache_bytes = liars * 4096 / 8;

  const WorkDirectory directory(bench.directory);
  Side ours, theirs;
  progress.show("clock: filling the stores");
  ours.contestant = enter(Kind::taf, directory, terms);
  theirs.contestant = enter(Kind::bloom, directory, terms);
  progress.show("clock: looking for false positives");
  find_liars(ours, terms.keys, bench.keys, liars);
  find_liars(theirs, terms.keys, bench.keys, liars);

  const auto compare = [&](const std::string& what, auto turn_of) {
    Pairs pairs;
    ours.seconds = theirs.seconds = 0;
    for (std::uint64_t asked = 0; asked < bench.asked; asked += kTurn) {
      progress.show(fmt::format("clock: {}, {} queries", what, asked));
      ours.ask(turn_of(ours, asked));
      theirs.ask(turn_of(theirs, asked));
    }
    const double queries = static_cast<double>((bench.asked + kTurn - 1) / kTurn * kTurn);
    pairs.add(1e6 * ours.seconds / queries, 1e6 * theirs.seconds / queries);
    return pairs.less_is_better(what, "us per absent lookup, direct I/O", "RocksDB Bloom");
  };
  std::vector<std::uint64_t> turn(kTurn);
  Rows rows;
  rows.push_back(compare("adversarial replay", [&](const Side& side, std::uint64_t asked) {
    for (std::size_t i = 0; i < kTurn; ++i) turn[i] = side.liars[(asked + i) % side.liars.size()];
    return std::span<const std::uint64_t>(turn);
  }));
  rows.push_back(compare("fresh random negatives", [&](const Side&, std::uint64_t asked) {
    for (std::size_t i = 0; i < kTurn; ++i) turn[i] = terms.keys[(std::uint64_t{1} << 40) + asked + i];
    return std::span<const std::uint64_t>(turn);
  }));
  return rows;
}

}  // namespace telescope::lab
