#include "fpr/scene.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "contestants/make_filter.hpp"
#include "trace/source.hpp"
#include "workloads/active_set.hpp"
#include "workloads/adversary.hpp"
#include "workloads/flows.hpp"
#include "workloads/power_law.hpp"
#include "workloads/recorded.hpp"
#include "workloads/replay.hpp"
#include "workloads/uniform.hpp"
#include "workloads/zipf.hpp"

namespace telescope::lab {
namespace {

constexpr std::uint64_t kDefaultSlots = std::uint64_t{1} << 18;
constexpr std::uint64_t kActiveQueries = 10'000'000, kPowerLawQueries = 50'000'000;  // the paper's
constexpr std::uint64_t kFlowQueries = 10'000'000;

std::optional<Recording> recording_for(const SceneOptions& options) {
  if (options.workload == "active") {
    return record(ActiveSet(options.exponent.value_or(ActiveSet::kDefaultExponent)),
                  options.queries.value_or(kActiveQueries));
  }
  if (options.workload == "powerlaw") return record(PowerLaw(), options.queries.value_or(kPowerLawQueries));
  if (options.workload == "flows") return record(Flows(), options.queries.value_or(kFlowQueries));
  if (options.workload != "trace") return std::nullopt;
  Recording made;
  read_trace(options.trace, [&](std::uint64_t key) { made.add(key); });
  if (made.unique() == 0) throw LabError(options.trace.file + " holds no keys: give another file or --format");
  return made;
}

std::uint64_t slots_for(std::uint64_t members, double load) { return FilterOptions::for_members(members, load).slots; }

}  // namespace

Stage::Stage(SceneOptions options) : options_(std::move(options)), recording_(recording_for(options_)) {}

const std::vector<std::string>& Stage::workloads() {
  static const std::vector<std::string> names = {"uniform", "fresh", "zipf",      "active", "powerlaw",
                                                 "flows",   "trace", "adversary", "replay"};
  return names;
}

bool Stage::recorded() const { return recording_.has_value(); }

bool Stage::partition() const {
  return options_.members.empty() ? options_.workload == "trace" || options_.workload == "flows"
                                  : options_.members == "partition";
}

std::vector<double> Stage::as_or_default(std::vector<double> as) const {
  if (!recorded() || !options_.slots) return as.empty() ? std::vector<double>{1, 10, 20} : as;
  if (!as.empty() || partition()) {
    throw LabError(
        "the stream's keys and --slots already say what A/S is: leave out --slots, or take --members fresh without "
        "--as");
  }
  return {static_cast<double>(recording_->unique()) / std::floor(options_.load * static_cast<double>(*options_.slots))};
}

Scene Stage::scene(double as, std::uint64_t seed) const {
  Scene made = recorded() ? recorded_scene(as, seed) : keyed_scene(as, seed);
  if (made.members.empty()) throw LabError(fmt::format("A/S {} leaves no member: take a smaller one", as));
  made.seed = seed;
  made.index = std::make_unique<MemberIndex>(hashes_of(made.members, experiment_hash(seed)));
  return made;
}

// Members are keys[0, n), negatives the keys behind.
Scene Stage::keyed_scene(double as, std::uint64_t seed) const {
  Scene made;
  made.as = as;
  made.slots = options_.slots.value_or(kDefaultSlots);
  const auto members = static_cast<std::uint64_t>(options_.load * static_cast<double>(made.slots));
  const Keys keys(seed);
  made.members = keys.range(0, members);
  const auto unique = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(as * static_cast<double>(members)));
  const unsigned passes = options_.passes.value_or(options_.workload == "fresh" ? 1 : 20);
  made.queries = [=, this]() -> std::unique_ptr<Workload> {
    if (options_.workload == "zipf") {
      const ZipfWorkload::Options zipf{members, unique, options_.queries.value_or(passes * unique),
                                       options_.exponent.value_or(1)};
      return std::make_unique<ZipfWorkload>(zipf, keys, seed);
    }
    if (options_.workload == "adversary") {
      return std::make_unique<AdversaryWorkload>(AdversaryWorkload::Options{members, unique, passes}, keys);
    }
    if (options_.workload == "replay") {
      return std::make_unique<ReplayWorkload>(ReplayWorkload::Options{members, unique, passes}, keys, seed);
    }
    const UniformWorkload::Options uniform{members, unique, passes, options_.shuffled};
    return std::make_unique<UniformWorkload>(uniform, keys, seed);
  };
  return made;
}

Scene Stage::recorded_scene(double as, std::uint64_t seed) const {
  const auto unique = static_cast<double>(recording_->unique());
  const auto chosen = std::make_shared<RecordedMembers>(
      partition() ? partition_members(*recording_, as, seed)
                  : fresh_members(*recording_, static_cast<std::uint64_t>(std::llround(unique / as)), seed));
  Scene made;
  made.as = as;
  made.members = chosen->keys;
  made.slots = options_.slots.value_or(slots_for(made.members.size(), options_.load));
  made.queries = [chosen, this]() -> std::unique_ptr<Workload> {
    return std::make_unique<RecordedWorkload>(*recording_, chosen->among, options_.passes.value_or(1));
  };
  return made;
}

}  // namespace telescope::lab
