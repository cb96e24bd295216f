// telescope-lab bench speed
#include <memory>

#include "bench/interleaved.hpp"
#include "bench/run_options.hpp"
#include "io/output.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  RunOptions run;
  std::vector<std::string> peers;
  bool json = false;
};

// TAF's operation against another filter's, which need not be the same: a batch against those who have none.
class Comparison {
 public:
  Comparison(const Score& taf, const Options& options) : taf_(taf), options_(options), output_(options.json) {}

  void add(const std::string& operation, const Score& other, const std::string& its_operation) {
    if (!taf_.operations.contains(operation) || !other.operations.contains(its_operation)) return;
    const Sample& ours = taf_.operations.at(operation);
    Row row = start(operation);
    row["mops"] = median(ours.mops());
    row["against"] = other.filter;
    row["its_operation"] = its_operation;
    row["its_mops"] = median(other.operations.at(its_operation).mops());
    row["ratio"] = *ratio(ours, other, its_operation);
    output_.add(row);
  }

  // A rate on its own.
  void add(const std::string& operation) {
    if (!taf_.operations.contains(operation)) return;
    Row row = start(operation);
    row["mops"] = median(taf_.operations.at(operation).mops());
    for (const char* const field : {"against", "its_operation", "its_mops", "ratio"}) row[field] = Row();
    output_.add(row);
  }

  void finish() const { output_.finish(); }

 private:
  Row start(const std::string& operation) const {
    Row row;
    row["slots"] = options_.run.slots;
    row["load"] = options_.run.load;
    row["taf_operation"] = operation;
    return row;
  }

  const Score& taf_;
  const Options& options_;
  Output output_;
};

void run(const Options& options) {
  std::vector<std::unique_ptr<Entry>> entries;
  entries.push_back(make_own_entry("rsqf", 8));
  entries.push_back(make_own_entry("taf", 8));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  Scores scores;
  {
    Progress progress;
    scores = run_interleaved(entries, options.run, Counters(false), progress);
  }
  const Score& rsqf = scores.filters[0];
  Comparison comparison(scores.filters[1], options);
  for (const char* const operation : {"insert", "insert_batch", "negative", "positive", "negative_batch",
                                      "negative_adapted", "positive_adapted", "negative_batch_adapted"}) {
    comparison.add(operation, rsqf, operation);
  }
  comparison.add("insert_batch", scores.filters[1], "insert");
  for (const char* const operation : {"negative_batch", "negative_batch_adapted"}) {
    comparison.add(operation, scores.memory, reads_beside(operation));
  }
  for (std::size_t i = 2; i < scores.filters.size(); ++i) {
    for (const char* const operation : {"insert", "negative_adapted", "positive_adapted"}) {
      comparison.add(operation, scores.filters[i], operation);
    }
    comparison.add("negative_batch_adapted", scores.filters[i], "negative_adapted");
  }
  comparison.add("adapt");
  comparison.finish();
}

}  // namespace

void add_bench_speed(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      bench.add_subcommand("speed", "TAF against RSQF, peers and memory, as ratios from one interleaved run");
  add_run_options(*verb, options->run);
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
