// telescope-lab fpr
#include <memory>
#include <string>
#include <vector>

#include "../output.hpp"
#include "../statistics.hpp"
#include "../verbs.hpp"
#include "../workloads/uniform.hpp"
#include "measure.hpp"

namespace telescope::lab {
namespace {

struct Options {
  std::string workload = "uniform";
  std::vector<double> as = {20, 40, 60};
  std::vector<std::string> filters = {"taf", "exaf", "utaf", "rsqf", "taf-shift"};
  std::uint64_t slots = std::uint64_t{1} << 18;
  double load = 0.95;
  unsigned passes = 20;
  std::string policy = "evict";
  bool shuffled = false;
  unsigned seeds = 1;
  std::uint64_t seed = 1;
  bool json = false;
};

// Members and what finds them again: made once per seed, shared by the filters.
struct Set {
  Set(const Options& options, std::uint64_t with_seed)
      : seed(with_seed),
        keys(with_seed),
        members(first_keys(options)),
        index(hashes_of(members, experiment_hash(seed))) {}

  std::vector<std::uint64_t> first_keys(const Options& options) const {
    std::vector<std::uint64_t> made(static_cast<std::size_t>(options.load * static_cast<double>(options.slots)));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = keys[i];
    return made;
  }

  std::uint64_t seed;
  Keys keys;
  std::vector<std::uint64_t> members;
  MemberIndex index;
};

template <class Workload>
FprCounts measure(const std::string& filter, const Options& options, const Set& set, const Workload& workload) {
  FilterOptions make;
  make.slots = options.slots;
  make.overflow = options.policy == "reset" ? Overflow::reset : Overflow::evict;
  const auto run = [&]<class Filter>() {
    return measure_fpr<Filter>(make, set.seed, set.members, set.index, workload);
  };
  if (filter == "rsqf") return run.template operator()<Rsqf<8>>();
  if (filter == "taf") return run.template operator()<Taf<8>>();
  if (filter == "utaf") return run.template operator()<Utaf<8>>();
  if (filter == "exaf") return run.template operator()<Exaf<8>>();
  if (filter == "taf-shift") return run.template operator()<TafShift<8>>();
  throw LabError(fmt::format("no filter {}: choose taf, exaf, utaf, rsqf or taf-shift", filter));
}

FprCounts measure(const std::string& filter, double as, const Options& options, const Set& set) {
  if (options.workload != UniformWorkload::kName)
    throw LabError("no workload " + options.workload + ": choose uniform");
  const auto members = static_cast<double>(set.members.size());
  const UniformWorkload workload({.members = set.members.size(),
                                  .unique = static_cast<std::uint64_t>(as * members),
                                  .passes = options.passes,
                                  .shuffled = options.shuffled},
                                 set.keys, set.seed);
  return measure(filter, options, set, workload);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Row row_of(const std::string& filter, double as, const Options& options, const FprCounts& counts) {
  Row row;
  row["workload"] = options.workload;
  row["filter"] = filter;
  row["policy"] = options.policy;
  row["as"] = as;
  row["fpr"] = share(counts.positives, counts.queries);
  row["fpr_repeat"] = share(counts.repeat_positives, counts.repeats);
  row["fpr_ci"] = share_ci(static_cast<double>(counts.positives), static_cast<double>(counts.queries));
  row["bits_per_slot"] = counts.bits_per_slot;
  row["overflows"] = counts.adapts.overflow.overflows;
  row["evicted"] = counts.adapts.overflow.evicted;
  row["resets"] = counts.adapts.overflow.resets;
  return row;
}

// A row for each seed, then for several seeds their mean, whose interval is taken over the seeds.
void print_seeds(const std::string& filter, double as, const Options& options, const std::vector<Set>& sets,
                 Output& output, Progress& progress) {
  std::vector<double> rates, repeat_rates;
  Row row;
  for (const Set& set : sets) {
    progress.show(fmt::format("A/S {} {} seed {}", as, filter, set.seed));
    row = row_of(filter, as, options, measure(filter, as, options, set));
    row["seed"] = std::to_string(set.seed);
    rates.push_back(row["fpr"]);
    repeat_rates.push_back(row["fpr_repeat"]);
    if (options.json || sets.size() == 1) output.add(row);
  }
  if (sets.size() == 1) return;
  row["fpr"] = mean(rates);
  row["fpr_repeat"] = mean(repeat_rates);
  row["fpr_ci"] = mean_ci(rates);
  row["seed"] = "mean";
  output.add(row);
}

void run(const Options& options) {
  Output output(options.json);
  {
    Progress progress;
    std::vector<Set> sets;
    for (unsigned i = 0; i < options.seeds; ++i) sets.emplace_back(options, options.seed + i);
    for (const double as : options.as) {
      for (const std::string& filter : options.filters) print_seeds(filter, as, options, sets, output, progress);
    }
  }
  output.finish();
}

}  // namespace

void add_fpr(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("fpr", "false-positive rates under a workload, adapting on each false positive");
  verb->add_option("--workload", options->workload, "uniform")
      ->check(CLI::IsMember({"uniform"}))
      ->capture_default_str();
  verb->add_option("--as", options->as, "A/S: unique negatives per member")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--filters", options->filters, "taf, exaf, utaf, rsqf, taf-shift")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--slots", options->slots, "slots, a multiple of 64")->capture_default_str();
  verb->add_option("--load", options->load, "members per slot")->check(CLI::Range(0.01, 1.0))->capture_default_str();
  verb->add_option("--passes", options->passes, "passes over the negatives")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--policy", options->policy, "what to do when a code overflows")
      ->check(CLI::IsMember({"evict", "reset"}))
      ->capture_default_str();
  verb->add_flag("--shuffled", options->shuffled, "a new order in each pass");
  verb->add_option("--seeds", options->seeds, "how many seeds")->check(CLI::Range(1, 10000))->capture_default_str();
  verb->add_option("--seed", options->seed, "the first seed")->capture_default_str();
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
