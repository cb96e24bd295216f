// telescope-lab bench life: loading, growing, saving, sharing.
#include "bench/life/life.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/run_options.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  LifeOptions life;
  std::vector<std::string> parts;
  bool json = false;
};

using Measure = Rows (*)(const LifeOptions&, Progress&);
const std::vector<std::pair<std::string, Measure>> kParts = {
    {"load", measure_load}, {"growth", measure_growth}, {"snapshots", measure_snapshots}, {"threads", measure_threads}};

void run(const Options& options) {
  Output output(options.json);
  {
    Progress progress;
    for (const auto& [name, measure] : kParts) {
      if (!options.parts.empty() && std::ranges::find(options.parts, name) == options.parts.end()) continue;
      for (const Row& row : measure(options.life, progress)) output.add(row);
    }
  }
  output.finish();
}

}  // namespace

void add_bench_life(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("life", "bulk load, growth, snapshots and threads, as ratios from one run");
  LifeOptions& life = options->life;
  std::vector<std::string> names;
  for (const auto& [name, measure] : kParts) names.push_back(name);
  verb->add_option("parts", options->parts, "load, growth, snapshots, threads; all if none is named")
      ->check(CLI::IsMember(names));
  verb->add_option("--slots", life.slots, "slots of the filters that are loaded and saved")
      ->check(whole_blocks())
      ->capture_default_str();
  verb->add_option("--members", life.members, "members of the filter that grows")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--thread-slots", life.thread_slots, "slots of the filters that threads share")
      ->check(whole_blocks())
      ->capture_default_str();
  verb->add_option("--operations", life.operations, "operations of each thread")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--load", life.load, "members per slot")->check(CLI::Range(0.1, 0.98))->capture_default_str();
  verb->add_option("--unique-negatives", life.unique_negatives, "unique negatives per member, before growing")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--reps", life.reps, "repetitions; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--seed", life.seed, "first seed; each repetition takes the next")->capture_default_str();
  verb->add_option("--directory", life.directory,
                   "where snapshots are written; the system's temporary one if not given")
      ->check(CLI::ExistingDirectory);
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
