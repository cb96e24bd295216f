// telescope-lab bench loads: insert and query rates while the filters fill, on the active-set stream (the paper's
// figure "thruput").
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "bench/referee.hpp"
#include "bench/run_options.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "verbs.hpp"
#include "workloads/active_set.hpp"

namespace telescope::lab {
namespace {

struct Options {
  std::uint64_t slots = std::uint64_t{1} << 24;
  std::vector<double> loads = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
  std::vector<std::string> filters = {"taf", "exaf", "utaf", "rsqf", "vacuum"};
  std::vector<std::string> peers;
  unsigned reps = 3;
  std::uint64_t probes = std::uint64_t{1} << 20;
  std::uint64_t seed = 1;
  bool json = false;
};

std::unique_ptr<Entry> entry_for(const std::string& filter) {
  const auto rivals = rival_names();
  return std::find(rivals.begin(), rivals.end(), filter) != rivals.end() ? make_rival_entry(filter)
                                                                         : make_own_entry(filter, 8);
}

std::vector<std::unique_ptr<Entry>> entries_for(const Options& options) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(entry_for(filter));
  for (const std::string& file : options.peers) entries.push_back(make_peer_entry(file));
  return entries;
}

// What was measured at one load: inserts are those since the load before.
struct AtLoad {
  double load;
  Scores scores;
};

// All filters fill together, and stop at each load for their queries.
void fill_once(const std::vector<std::unique_ptr<Entry>>& entries, const Options& options, unsigned repetition,
               std::vector<AtLoad>& measured, Progress& progress) {
  const std::uint64_t seed = options.seed + repetition;
  std::vector<std::unique_ptr<Contestant>> contestants;
  for (const auto& entry : entries) contestants.push_back(entry->make(options.slots, seed));
  const Counters counters(false);
  const Referee referee(counters, repetition);
  const Keys keys(seed);
  ActiveSet stream;
  std::vector<std::uint64_t> queries(static_cast<std::size_t>(options.probes));
  std::uint64_t filled = 0;
  for (AtLoad& at : measured) {
    progress.show(fmt::format("repetition {}: load {}", repetition + 1, at.load));
    const auto until = static_cast<std::uint64_t>(at.load * static_cast<double>(options.slots));
    const auto members = keys.range(filled, until - filled);
    filled = until;
    in_turns(members, contestants.size(), repetition,
             [&](std::size_t i, const Turn& turn) { referee.insert(*contestants[i], at.scores.filters[i], turn); });
    for (std::uint64_t& query : queries) query = stream.next();
    in_turns(queries, contestants.size(), repetition, [&](std::size_t i, const Turn& turn) {
      referee.query(*contestants[i], at.scores.filters[i], "negative", turn);
    });
  }
}

Row row_of(const Score& score, double load, const std::string& operation, const Options& options) {
  const std::vector<double> rates = score.operations.at(operation).mops();
  Row row;
  row["filter"] = score.filter;
  row["slots"] = options.slots;
  row["load"] = load;
  row["operation"] = operation;
  row["mops"] = mean(rates);
  row["mops_ci"] = mean_ci(rates);
  row["mops_by_repetition"] = rates;
  return row;
}

void run(Options options) {
  std::sort(options.loads.begin(), options.loads.end());
  const auto entries = entries_for(options);
  std::vector<AtLoad> measured;
  for (const double load : options.loads) measured.push_back({load, empty_scores(entries)});
  {
    Progress progress;
    for (unsigned i = 0; i < options.reps; ++i) fill_once(entries, options, i, measured, progress);
  }
  Output output(options.json);
  for (const char* const operation : {"insert", "negative"}) {
    for (const AtLoad& at : measured) {
      for (const Score& score : at.scores.filters) output.add(row_of(score, at.load, operation, options));
    }
  }
  output.finish();
}

}  // namespace

void add_bench_loads(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("loads", "insert and query rates at rising loads, queries of the active set");
  verb->add_option("--slots", options->slots, "slots of each filter, a multiple of 64")
      ->check(whole_blocks())
      ->capture_default_str();
  verb->add_option("--loads", options->loads, "where to stop for queries")
      ->delimiter(',')
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verb->add_option("--filters", options->filters, "ours, or rivals")->delimiter(',')->capture_default_str();
  verb->add_option("--peer", options->peers, "shared object of a foreign filter (docs/peers.md); may be given again");
  verb->add_option("--reps", options->reps, "repetitions; the mean counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--probes", options->probes, "queries per load")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--seed", options->seed, "first seed; each repetition takes the next")->capture_default_str();
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
