// telescope-lab bench filters
#include <cmath>
#include <memory>

#include "../errors.hpp"
#include "../output.hpp"
#include "../statistics.hpp"
#include "../verbs.hpp"
#include "interleaved.hpp"

namespace telescope::lab {
namespace {

struct Options {
  RunOptions run;
  std::vector<std::string> filters = {"rsqf", "taf", "utaf", "exaf", "taf-shift"};
  std::vector<std::string> peers;
  unsigned width = 8;
  bool json = false;
};

// Repetition by repetition, then the median: both of a pair ran within seconds of each other.
Row ratio(const Sample& sample, const Score* base, const std::string& operation) {
  if (base == nullptr || !base->operations.contains(operation)) return nullptr;
  const Sample& other = base->operations.at(operation);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(sample.mops.size(), other.mops.size()); ++i) {
    ratios.push_back(sample.mops[i] / other.mops[i]);
  }
  return median(ratios);
}

Row row_of(const Score& score, const std::string& operation, const Score* base, const Options& options) {
  const Sample& sample = score.operations.at(operation);
  const bool negative = operation.starts_with("negative");
  const auto queries = static_cast<double>(sample.queries);
  Row row;
  row["filter"] = score.filter;
  row["slots"] = options.run.slots;
  row["load"] = options.run.load;
  row["operation"] = operation;
  row["mops"] = median(sample.mops);
  row["ratio_to_rsqf"] = ratio(sample, base, operation);
  row["bits_per_slot"] = score.bits_per_slot;
  row["decodes_per_query"] = sample.decodes >= 0 ? Row(sample.decodes) : Row();
  row["fpr"] = negative ? Row(static_cast<double>(sample.hits) / queries) : Row();
  row["missing"] = operation.starts_with("positive") ? Row(sample.queries - sample.hits) : Row();
  row["mops_by_repetition"] = sample.mops;
  return row;
}

void print(const std::vector<Score>& scores, const Options& options) {
  const Score* base = nullptr;
  for (const Score& score : scores) {
    if (score.ours && score.filter == "rsqf") base = &score;
  }
  Output output(options.json);
  for (const std::string& operation : kOperations) {
    for (const Score& score : scores) {
      if (score.operations.contains(operation)) output.add(row_of(score, operation, base, options));
    }
  }
  output.finish();
}

void run(const Options& options) {
  if (options.run.slots == 0 || options.run.slots % 64 != 0) throw LabError("--slots must be a multiple of 64");
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(make_own_entry(filter, options.width));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  std::vector<Score> scores;
  {
    Progress progress;
    scores = run_interleaved(entries, options.run, progress);
  }
  print(scores, options);
}

}  // namespace

void add_bench_filters(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("filters", "fill, query and adapt every filter in one interleaved run");
  verb->add_option("--slots", options->run.slots, "slots of each filter, a multiple of 64")->capture_default_str();
  verb->add_option("--load", options->run.load, "members per slot")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verb->add_option("--reps", options->run.reps, "repetitions; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--filters", options->filters, "rsqf, taf, utaf, exaf, taf-shift")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--width", options->width, "bits per remainder: 4, 8, 12 or 16")->capture_default_str();
  verb->add_option("--unique-negatives", options->run.unique_negatives, "unique negatives per member to adapt on")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb->add_option("--probes", options->run.probes, "queries per operation")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--seed", options->run.seed, "first seed; each repetition takes the next")->capture_default_str();
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
