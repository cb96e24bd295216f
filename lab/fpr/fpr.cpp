// telescope-lab fpr
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contestants/contestant.hpp"
#include "fpr/scene.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "measure/statistics.hpp"
#include "rows.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

// A contestant as it is written: NAME, or NAME:reset where it differs from --policy.
struct NamedContestant {
  std::string filter, policy;
  ContestantFactory factory;
};

NamedContestant named_contestant(const std::string& text, const std::string& policy) {
  for (const std::string other : {"evict", "reset"}) {
    if (!text.ends_with(":" + other)) continue;
    const std::string name = text.substr(0, text.size() - other.size() - 1);
    return {name, other, find_contestant(name)};
  }
  return {text, policy, find_contestant(text)};
}

struct FprCounts {
  std::uint64_t queries = 0;
  std::uint64_t positives = 0;
  std::uint64_t repeats = 0;
  std::uint64_t repeat_positives = 0;
  OverflowReport overflow;
  std::uint64_t missing = 0;  // members that are not found afterwards
  double bits_per_slot = 0;
  std::optional<Workload::LastRound> last_round;
};

// Fills the filter, runs the workload over it, and adapts on each false positive. Every query is a negative, so every
// positive is false. Throws LabError if the filter does not take all members.
FprCounts run_workload(Contestant& contestant, const Scene& scene) {
  const auto query = [&](const std::uint64_t& key) { return contestant.count(std::span(&key, 1)) != 0; };
  if (contestant.insert(scene.members) != scene.members.size()) {
    throw LabError("it is full before all members are in: take a lower --load");
  }
  FprCounts counts;
  counts.bits_per_slot = static_cast<double>(contestant.bits()) / static_cast<double>(scene.slots);
  const auto workload = scene.queries();
  while (const auto asked = workload->next()) {
    const bool positive = query(asked->key);
    workload->answered(positive);
    ++counts.queries;
    counts.repeats += asked->repeat;
    if (!positive) continue;
    ++counts.positives;
    counts.repeat_positives += asked->repeat;
    if (contestant.adapts()) contestant.adapt(std::span(&asked->key, 1), *scene.index);
  }
  counts.overflow = contestant.overflow();
  counts.last_round = workload->last_round();
  for (const std::uint64_t key : scene.members) counts.missing += !query(key);
  return counts;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

FprCounts measure(const NamedContestant& named, const Scene& scene) {
  const Overflow overflow = named.policy == "reset" ? Overflow::reset : Overflow::evict;
  try {
    const auto contestant = named.factory.make({.slots = scene.slots, .seed = scene.seed, .overflow = overflow});
    const FprCounts counts = run_workload(*contestant, scene);
    if (counts.missing > 0 && !named.factory.peer) {
      throw LawBroken(fmt::format("{} with {} slots lost {} members", named.filter, scene.slots, counts.missing));
    }
    return counts;
  } catch (const LabError& error) {
    throw LabError(fmt::format("{} with {} slots: {}", named.filter, scene.slots, error.what()));
  }
}

Row row_of(const NamedContestant& named, const std::string& workload, const Scene& scene, const FprCounts& counts) {
  Row row;
  row["workload"] = workload;
  row[field::kFilter] = named.filter;
  row[field::kPolicy] = named.factory.overflow_policy ? Row(named.policy) : Row();
  row[field::kAs] = scene.as;
  row[field::kFpr] = share(counts.positives, counts.queries);
  row[field::kFprRepeat] = share(counts.repeat_positives, counts.repeats);
  row[field::kFprCi] = share_ci(static_cast<double>(counts.positives), static_cast<double>(counts.queries));
  if (counts.last_round) {
    row[field::kFprLast] = counts.last_round->fpr;
    row[field::kHeld] = counts.last_round->held;
  }
  row[field::kBitsPerSlot] = counts.bits_per_slot;
  row[field::kSlots] = scene.slots;
  row[field::kMembers] = scene.members.size();
  row["queries"] = counts.queries;
  row[field::kMissing] = counts.missing;
  row[field::kOverflows] = counts.overflow.overflows;
  row["evicted"] = counts.overflow.evicted;
  row["resets"] = counts.overflow.resets;
  row[field::kSeed] = std::to_string(scene.seed);
  return row;
}

// The mean over the seeds, whose interval is taken over the seeds as well.
Row mean_of(const std::vector<Row>& rows) {
  Row row = rows.front();
  std::vector<double> rates;
  for (const Row& each : rows) rates.push_back(each[field::kFpr]);
  for (const char* const name : {field::kFpr, field::kFprRepeat, field::kFprLast, field::kHeld}) {
    if (!row.contains(name)) continue;
    std::vector<double> values;
    for (const Row& each : rows) values.push_back(each[name]);
    row[name] = mean(values);
  }
  row[field::kFprCi] = mean_ci(rates);
  row[field::kSeed] = field::kMean;
  return row;
}

void print_point(const NamedContestant& named, const FprOptions& options, const std::vector<Scene>& scenes,
                 Output& output, Progress& progress) {
  std::vector<Row> rows;
  for (const Scene& scene : scenes) {
    progress.show(fmt::format("A/S {:.3g} {} seed {}", scene.as, named.filter, scene.seed));
    rows.push_back(row_of(named, options.scene.workload, scene, measure(named, scene)));
    if (options.json || scenes.size() == 1) output.add(rows.back());
  }
  if (scenes.size() > 1) output.add(mean_of(rows));
}

// "trace FILE" into its two parts.
void take_workload(FprOptions& options) {
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

}  // namespace

void fpr(const FprOptions& given) {
  FprOptions options = given;
  take_workload(options);
  std::vector<NamedContestant> contestants;
  for (const std::string& text : options.filters) contestants.push_back(named_contestant(text, options.policy));
  Output output(options.json);
  {
    Progress progress;
    progress.show("workload");
    const Stage stage(options.scene);
    for (const double as : stage.as_or_default(options.as)) {
      std::vector<Scene> scenes;
      for (unsigned i = 0; i < options.seeds; ++i) scenes.push_back(stage.scene(as, options.seed + i));
      for (const NamedContestant& named : contestants) print_point(named, options, scenes, output, progress);
    }
  }
  output.finish();
}

}  // namespace telescope::lab
