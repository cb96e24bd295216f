// The two streams of the demo at full length: who reads the store how often.
#include <fmt/core.h>

#include <race.hpp>

#include "bench/guard/guard.hpp"

namespace telescope::lab {
namespace {

using contest::Kind;

contest::Terms terms_of(const GuardOptions& bench) {
  contest::Terms terms;
  terms.members = bench.keys;
  terms.keys = contest::Keys(bench.seed);
  terms.seed = bench.seed;
  terms.value_bytes = bench.value_bytes;
  return terms;
}

template <class MakeStream>
contest::Race race(const GuardOptions& bench, Kind kind, std::uint64_t warm_up, std::uint64_t after, MakeStream stream,
                   Progress& progress) {
  const TemporaryDirectory directory(bench.directory);
  progress.show(fmt::format("{}: filling the store", to_string(kind)));
  const auto contestant = enter(kind, directory, terms_of(bench));
  auto asking = stream();
  return value_of(contest::run_race(*contestant, asking, warm_up, after, [&](std::uint64_t asked) {
    if (asked % (1 << 20) == 0) progress.show(fmt::format("{}: {} queries", to_string(kind), asked));
    return true;
  }));
}

double reads_per_query(const contest::Lap& lap) {
  return static_cast<double>(lap.gets + lap.scans) / static_cast<double>(lap.queries);
}

}  // namespace

std::unique_ptr<contest::Contestant> enter(Kind kind, const TemporaryDirectory& directory,
                                           const contest::Terms& terms) {
  return value_of(contest::make_contestant(kind, directory / std::string(to_string(kind)), terms));
}

// After the warm-up: every false positive seen, again and again.
Rows measure_adversary(const GuardOptions& bench, Progress& progress) {
  const std::uint64_t fresh = bench.unique_negatives * bench.keys;
  const auto reads = [&](Kind kind) {
    const auto stream = [&] { return contest::AdversarialStream(contest::Keys(bench.seed), bench.keys, fresh); };
    return reads_per_query(race(bench, kind, fresh, bench.replays, stream, progress).after);
  };
  const double ours = reads(Kind::taf);
  Rows rows;
  for (const Kind kind : {Kind::bloom, Kind::rsqf}) {
    const double theirs = reads(kind);
    rows.push_back(pair_row("adversarial replay", "reads of the store per negative", ours, std::string(to_string(kind)),
                            theirs, theirs / ours));
  }
  return rows;
}

Rows measure_skewed(const GuardOptions& bench, Progress& progress) {
  const std::uint64_t unique = bench.unique_negatives * bench.keys;
  const auto false_positives = [&](Kind kind) {
    const auto stream = [&] {
      return contest::SkewedStream(contest::Keys(bench.seed), bench.keys, unique, bench.seed);
    };
    const auto run = race(bench, kind, 0, unique * bench.queries_per_negative, stream, progress);
    return static_cast<double>(run.after.false_positives) / static_cast<double>(run.after.queries);
  };
  const double ours = false_positives(Kind::taf), theirs = false_positives(Kind::rsqf);
  return {
      pair_row("skewed stream, Zipf 1.0", "false positives per negative", ours, "RSQF guard", theirs, theirs / ours)};
}

}  // namespace telescope::lab
