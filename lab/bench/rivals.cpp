// telescope-lab bench rivals
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

#include "bench/interleaved.hpp"
#include "bench/run_options.hpp"
#include "io/output.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  RunOptions run;
  std::vector<std::string> filters = rival_names();
  std::vector<std::string> peers;
  bool json = false;
};

// A rate, and its ratio to each peer in the same operation.
Row row_of(const Score& score, const std::string& operation, const Scores& scores, const Options& options) {
  const Sample& sample = score.operations.at(operation);
  Row row;
  row["filter"] = score.filter;
  row["slots"] = options.run.slots;
  row["load"] = options.run.load;
  row["operation"] = operation;
  row["mops"] = median(sample.mops());
  row["bits_per_slot"] = score.bits_per_slot;
  row["fpr"] = operation.starts_with("negative")
                   ? Row(static_cast<double>(sample.hits) / static_cast<double>(sample.queries))
                   : Row();
  row["missing"] = operation.starts_with("positive") ? Row(sample.queries - sample.hits) : Row();
  for (const Score& peer : scores.filters) {
    if (peer.ours) continue;
    const auto against = ratio(sample, peer, operation);
    row["ratio_to_" + peer.filter] = against ? Row(*against) : Row();
  }
  row["mops_by_repetition"] = sample.mops();
  return row;
}

void run(const Options& options) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(make_rival_entry(filter));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  const Counters counters(false);
  Scores scores;
  {
    Progress progress;
    scores = run_interleaved(entries, options.run, counters, progress);
  }
  Output output(options.json);
  for (const std::string& operation : kOperations) {
    for (const Score& score : scores.filters) {
      if (score.operations.contains(operation)) output.add(row_of(score, operation, scores, options));
    }
  }
  output.finish();
}

}  // namespace

void add_bench_rivals(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("rivals", "the rivals of the false-positive experiments, against their peers");
  add_run_options(*verb, options->run);
  verb->add_option("--filters", options->filters, fmt::format("{}", fmt::join(rival_names(), ", ")))
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
