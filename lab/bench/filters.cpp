// telescope-lab bench filters
#include <memory>
#include <optional>

#include "bench/interleaved.hpp"
#include "bench/run_options.hpp"
#include "io/output.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  RunOptions run;
  std::vector<std::string> filters = {"rsqf", "taf", "utaf", "exaf", "taf-shift"};
  std::vector<std::string> peers;
  unsigned width = 8;
  bool profile = false;
  bool json = false;
};

Row nullable(std::optional<double> value) { return value ? Row(*value) : Row(); }

void add_counts(Row& row, const Sample& sample) {
  for (std::size_t i = 0; i < kCounterNames.size(); ++i) {
    row[kCounterNames[i]] = sample.counts.by_event[i].total() / sample.operations;
  }
}

Row row_of(const Score& score, const std::string& operation, const Score* base, const Score& memory,
           const Options& options) {
  const Sample& sample = score.operations.at(operation);
  const bool negative = operation.starts_with("negative");
  const auto queries = static_cast<double>(sample.queries);
  Row row;
  row["filter"] = score.filter;
  row["slots"] = options.run.slots;
  row["load"] = options.run.load;
  row["operation"] = operation;
  row["mops"] = median(sample.mops());
  row["ratio_to_rsqf"] = base == nullptr ? Row() : nullable(ratio(sample, *base, operation));
  row["bits_per_slot"] = score.bits_per_slot;
  row["decodes_per_query"] = sample.decodes >= 0 ? Row(sample.decodes) : Row();
  row["fpr"] = negative ? Row(static_cast<double>(sample.hits) / queries) : Row();
  row["missing"] = operation.starts_with("positive") ? Row(sample.queries - sample.hits) : Row();
  row["mops_by_repetition"] = sample.mops();
  row["ratio_to_memory"] = nullable(ratio_to_memory(sample, operation, memory));
  if (options.profile) add_counts(row, sample);
  return row;
}

void print(const Scores& scores, const Options& options) {
  const Score* base = nullptr;
  for (const Score& score : scores.filters) {
    if (score.ours && score.filter == "rsqf") base = &score;
  }
  Output output(options.json);
  const auto add = [&](const Score& score, const std::string& operation) {
    if (score.operations.contains(operation)) output.add(row_of(score, operation, base, scores.memory, options));
  };
  for (const std::string& operation : kOperations) {
    for (const Score& score : scores.filters) add(score, operation);
    add(scores.memory, operation);
  }
  output.finish();
}

void run(const Options& options) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(make_own_entry(filter, options.width));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  const Counters counters(options.profile);
  Scores scores;
  {
    Progress progress;
    scores = run_interleaved(entries, options.run, counters, progress);
  }
  print(scores, options);
}

}  // namespace

void add_bench_filters(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("filters", "fill, query and adapt every filter in one interleaved run");
  add_run_options(*verb, options->run);
  verb->add_option("--filters", options->filters,
                   "rsqf, taf, utaf, exaf, taf-shift, or taf-decode, which decodes in every query as in the paper")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--width", options->width, "bits per remainder: 4, 8, 12 or 16")->capture_default_str();
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_flag("--profile", options->profile, "processor and kernel events per operation, where they can be counted");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
