// telescope-lab stress
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "io/errors.hpp"
#include "io/output.hpp"
#include "measure/stopwatch.hpp"
#include "stress/walk.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  std::uint64_t ops = 100'000'000;
  std::uint64_t seed = 1;
  std::vector<std::string> filters = {"all"};
  unsigned threads = 2;
  bool json = false;
};

Row row_of(const StressConfig& config, const StressReport& report, double seconds) {
  Row row;
  row["filter"] = config.filter;
  row["width"] = config.width;
  row["policy"] = config.overflow == Overflow::evict ? "evict" : "reset";
  row["slots"] = config.slots;
  row["shape"] = to_string(config.shape);
  row["ops"] = report.ops;
  row["inserts"] = report.inserts;
  row["refused"] = report.refused;
  row["erases"] = report.erases;
  row["queries"] = report.queries;
  row["false_positives"] = report.false_positives;
  row["adapts"] = report.adapts;
  row["still_positive"] = report.still_positive;
  row["overflows"] = report.overflow.overflows;
  row["checks"] = report.checks;
  row["false_negatives"] = report.false_negatives;
  row["violations"] = report.violations;
  row["seconds"] = seconds;
  row["first_violation"] = report.first_violation;
  return row;
}

// Configurations share nothing, so threads take them one by one.
class Runner {
 public:
  Runner(const std::vector<StressConfig>& configs, bool json)
      : configs_(configs), output_(json), rows_(configs.size()) {}

  void run(unsigned threads) {
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    }
    output_.finish();
    if (failure_) std::rethrow_exception(failure_);
  }

  std::uint64_t ops() const { return ops_; }
  unsigned broken() const { return broken_; }
  const std::string& first() const { return first_; }

 private:
  void work() {
    try {
      for (std::size_t i = next_++; i < configs_.size(); i = next_++) {
        const Stopwatch watch;
        const StressReport report = StressWalk(configs_[i]).run();
        finish(i, report, watch.seconds());
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  // Rows come out in the order of the configurations, each as soon as those before it are done.
  void finish(std::size_t i, const StressReport& report, double seconds) {
    const std::scoped_lock lock(mutex_);
    rows_[i] = row_of(configs_[i], report, seconds);
    ops_ += report.ops;
    if (!report.clean() && broken_++ == 0) first_ = report.first_violation;
    progress_.show(fmt::format("{} of {} configurations, {} operations", ++done_, configs_.size(), ops_));
    for (; printed_ < rows_.size() && rows_[printed_]; ++printed_) output_.add(*rows_[printed_]);
  }

  const std::vector<StressConfig>& configs_;
  Output output_;
  Progress progress_;
  std::vector<std::optional<Row>> rows_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::uint64_t ops_ = 0;
  std::size_t done_ = 0, printed_ = 0;
  unsigned broken_ = 0;
  std::string first_;
};

void run(const Options& options) {
  const std::vector<StressConfig> configs = stress_configs(options.filters, options.ops, options.seed);
  Runner runner(configs, options.json);
  runner.run(options.threads);
  if (runner.broken() > 0) {
    throw LawBroken(fmt::format("{} of {} configurations broke a law; {}", runner.broken(), configs.size(),
                                runner.first().empty() ? "members were lost" : runner.first()));
  }
  if (!options.json) fmt::print("{} operations, no false negatives, no violations\n", runner.ops());
}

}  // namespace

void add_stress(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("stress", "random operations on every filter against a checked twin");
  verb->add_option("--ops", options->ops, "operations in all")->check(CLI::PositiveNumber)->capture_default_str();
  verb->add_option("--seed", options->seed, "seed of the walk")->capture_default_str();
  verb->add_option("--filters", options->filters, "all, rsqf, taf, utaf, exaf")->delimiter(',')->capture_default_str();
  verb->add_option("--threads", options->threads, "configurations at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
