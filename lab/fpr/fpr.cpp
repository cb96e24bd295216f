// telescope-lab fpr
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/run_options.hpp"
#include "fpr/measure.hpp"
#include "io/output.hpp"
#include "measure/statistics.hpp"
#include "trace/options.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  SceneOptions scene;
  std::vector<std::string> workload = {"uniform"};  // "trace FILE" is two words
  std::vector<double> as;
  std::vector<std::string> filters = {"taf", "exaf", "utaf", "rsqf", "taf-shift"};
  std::string policy = "evict";
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  bool json = false;
};

// A filter as it is written: NAME, or NAME:reset where it differs from --policy.
struct Entrant {
  std::string filter, policy;
};

Entrant entrant(const std::string& text, const std::string& policy) {
  for (const char* const other : {"evict", "reset"}) {
    const std::string suffix = fmt::format(":{}", other);
    if (text.ends_with(suffix)) return {text.substr(0, text.size() - suffix.size()), other};
  }
  return {text, policy};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

FprCounts measure(const Entrant& entrant, const Scene& scene) {
  const std::string& filter = entrant.filter;
  const auto subject = make_subject(filter, {.slots = scene.slots,
                                             .seed = scene.seed,
                                             .overflow = entrant.policy == "reset" ? Overflow::reset : Overflow::evict,
                                             .members = scene.index.get()});
  try {
    const FprCounts counts = measure_fpr(*subject, scene);
    if (counts.missing > 0 && !is_foreign(filter)) {
      throw LawBroken(fmt::format("{} with {} slots lost {} members", filter, scene.slots, counts.missing));
    }
    return counts;
  } catch (const LabError& error) {
    throw LabError(fmt::format("{} with {} slots: {}", filter, scene.slots, error.what()));
  }
}

Row row_of(const Entrant& entrant, const std::string& workload, const Scene& scene, const FprCounts& counts) {
  Row row;
  row["workload"] = workload;
  row["filter"] = entrant.filter;
  row["policy"] = takes_policy(entrant.filter) ? Row(entrant.policy) : Row();
  row["as"] = scene.as;
  row["fpr"] = share(counts.positives, counts.queries);
  row["fpr_repeat"] = share(counts.repeat_positives, counts.repeats);
  row["fpr_ci"] = share_ci(static_cast<double>(counts.positives), static_cast<double>(counts.queries));
  if (counts.last_round) {
    row["fpr_last"] = counts.last_round->fpr;
    row["held"] = counts.last_round->held;
  }
  row["bits_per_slot"] = counts.bits_per_slot;
  row["slots"] = scene.slots;
  row["members"] = scene.members.size();
  row["queries"] = counts.queries;
  row["missing"] = counts.missing;
  row["overflows"] = counts.overflow.overflows;
  row["evicted"] = counts.overflow.evicted;
  row["resets"] = counts.overflow.resets;
  row["seed"] = std::to_string(scene.seed);
  return row;
}

// The mean over the seeds, whose interval is taken over the seeds as well.
Row mean_of(const std::vector<Row>& rows) {
  Row row = rows.front();
  std::vector<double> rates;
  for (const Row& each : rows) rates.push_back(each["fpr"]);
  for (const char* const field : {"fpr", "fpr_repeat", "fpr_last", "held"}) {
    if (!row.contains(field)) continue;
    std::vector<double> values;
    for (const Row& each : rows) values.push_back(each[field]);
    row[field] = mean(values);
  }
  row["fpr_ci"] = mean_ci(rates);
  row["seed"] = "mean";
  return row;
}

void print_point(const Entrant& entrant, const Options& options, const std::vector<Scene>& scenes, Output& output,
                 Progress& progress) {
  std::vector<Row> rows;
  for (const Scene& scene : scenes) {
    progress.show(fmt::format("A/S {:.3g} {} seed {}", scene.as, entrant.filter, scene.seed));
    rows.push_back(row_of(entrant, options.scene.workload, scene, measure(entrant, scene)));
    if (options.json || scenes.size() == 1) output.add(rows.back());
  }
  if (scenes.size() > 1) output.add(mean_of(rows));
}

// "trace FILE" into its two parts.
void take_workload(Options& options) {
  SceneOptions& scene = options.scene;
  scene.workload = options.workload.front();
  const auto& names = Stage::workloads();
  if (std::find(names.begin(), names.end(), scene.workload) == names.end()) {
    throw LabError(fmt::format("no workload {}: choose among {}", scene.workload, fmt::join(names, ", ")));
  }
  const bool file = options.workload.size() == 2;
  if (file != (scene.workload == "trace")) {
    throw LabError(file ? "only --workload trace takes a file"
                        : "--workload trace needs a file: --workload trace FILE");
  }
  if (file) scene.trace.file = options.workload.back();
}

void run(Options options) {
  take_workload(options);
  std::vector<Entrant> entrants;
  for (const std::string& text : options.filters) {
    entrants.push_back(entrant(text, options.policy));
    make_subject(entrants.back().filter, {.slots = 64});  // names before work
  }
  Output output(options.json);
  {
    Progress progress;
    progress.show("workload");
    const Stage stage(options.scene);
    for (const double as : stage.as_or_default(options.as)) {
      std::vector<Scene> scenes;
      for (unsigned i = 0; i < options.seeds; ++i) scenes.push_back(stage.scene(as, options.seed + i));
      for (const Entrant& entrant : entrants) print_point(entrant, options, scenes, output, progress);
    }
  }
  output.finish();
}

void add_workload_options(CLI::App& verb, SceneOptions& scene) {
  verb.add_option("--slots", scene.slots,
                  "slots, a multiple of 64; by default 2^18, or what the members of a stream need")
      ->check(whole_blocks());
  verb.add_option("--load", scene.load, "members per slot")->check(CLI::Range(0.01, 1.0))->capture_default_str();
  verb.add_option(
          "--passes", scene.passes,
          "passes over the negatives (20), or over a stream (1); rounds of the adversary; replays for each fresh query")
      ->check(CLI::Range(1, 1000000));
  verb.add_flag("--shuffled", scene.shuffled, "uniform: a new order in each pass");
  verb.add_option("--exponent", scene.exponent, "zipf: 1; active: POW_EXP, -0.5");
  verb.add_option("--queries", scene.queries, "zipf: passes x A; active, flows: 10 million; powerlaw: 50 million")
      ->check(CLI::PositiveNumber);
  verb.add_option("--members", scene.members,
                  "of a stream: fresh keys, or a partition of its own keys (the default for traces and flows)")
      ->check(CLI::IsMember({"fresh", "partition"}));
  add_trace_options(verb, scene.trace);
}

}  // namespace

void add_fpr(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("fpr", "false-positive rates under a workload, adapting on each false positive");
  verb->add_option("--workload", options->workload,
                   fmt::format("{}; trace takes a FILE", fmt::join(Stage::workloads(), ", ")))
      ->expected(1, 2)
      ->capture_default_str();
  verb->add_option("--as", options->as, "A/S: unique negatives per member (1,10,20)")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  verb->add_option("--filters", options->filters,
                   fmt::format("{}; behind any +cache, or :reset for that --policy; or a peer's FILE.so",
                               fmt::join(subject_names(), ", ")))
      ->delimiter(',')
      ->capture_default_str();
  add_workload_options(*verb, options->scene);
  verb->add_option("--policy", options->policy, "what to do when a code overflows")
      ->check(CLI::IsMember({"evict", "reset"}))
      ->capture_default_str();
  verb->add_option("--seeds", options->seeds, "how many seeds")->check(CLI::Range(1, 10000))->capture_default_str();
  verb->add_option("--seed", options->seed, "the first seed")->capture_default_str();
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
