// telescope-lab bench guard: store reads, false positives, time and memory of a guard over RocksDB.
#include "bench/guard/guard.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/run_options.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  GuardBench bench;
  std::vector<std::string> parts;
  bool json = false;
};

using Measure = Rows (*)(const GuardBench&, Progress&);
const std::vector<std::pair<std::string, Measure>> kParts = {
    {"adversary", measure_adversary}, {"skewed", measure_skewed}, {"clock", measure_clock}, {"add", measure_add}};

void run(const Options& options) {
  Output output(options.json);
  {
    Progress progress;
    for (const auto& [name, measure] : kParts) {
      if (!options.parts.empty() && std::ranges::find(options.parts, name) == options.parts.end()) continue;
      for (const Row& row : measure(options.bench, progress)) output.add(row);
    }
  }
  output.finish();
}

}  // namespace

void add_bench_guard(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("guard", "a guard over RocksDB, against RocksDB's own filter and none");
  GuardBench& guard = options->bench;
  std::vector<std::string> names;
  for (const auto& [name, measure] : kParts) names.push_back(name);
  verb->add_option("parts", options->parts, "adversary, skewed, clock, add; all if none is named")
      ->check(CLI::IsMember(names));
  verb->add_option("--keys", guard.keys, "members, but for `add`")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--many", guard.many, "members that `add` adds")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--replays", guard.replays, "queries of the adversary after its warm-up")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--asked", guard.asked, "queries of each stream on the clock")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--unique-negatives", guard.unique_negatives, "unique negatives per member")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--value-bytes", guard.value_bytes, "bytes of each value")->capture_default_str();
  verb->add_option("--batch", guard.batch, "records per write of `add`")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--seed", guard.seed, "of keys and hashes")->capture_default_str();
  verb->add_option("--directory", guard.directory, "where stores are made; the system's temporary one if not given")
      ->check(CLI::ExistingDirectory);
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
