// telescope-lab bench scale
#include <fmt/core.h>

#include <fstream>
#include <memory>

#include "bench/scale_plot.hpp"
#include "bench/scale_run.hpp"
#include "io/errors.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  ScaleOptions run;
  std::uint64_t from = std::uint64_t{1} << 16;
  std::uint64_t to = std::uint64_t{1} << 28;
  std::uint64_t step = 4;
  std::uint64_t memory_bytes = std::uint64_t{512} << 20;
  std::vector<std::string> filters = {"rsqf", "taf"};
  unsigned width = 8;
  bool json = false;
  std::string plot;
};

const std::vector<std::string> kScaleOperations = {"insert",         "negative",    "positive",
                                                   "negative_batch", "read_single", "read_batch"};

Row row_of(const Score& score, const std::string& operation, Row slots, std::uint64_t bytes, const Score& memory) {
  const Sample& sample = score.operations.at(operation);
  const std::optional<double> ratio = ratio_to_memory(sample, operation, memory);
  Row row;
  row["slots"] = std::move(slots);
  row["mb"] = static_cast<double>(bytes) / (1 << 20);
  row["filter"] = score.filter;
  row["operation"] = operation;
  row["mops"] = median(sample.mops());
  row["ns"] = 1e3 / median(sample.mops());
  row["ratio_to_memory"] = ratio ? Row(*ratio) : Row();
  row["mops_by_repetition"] = sample.mops();
  return row;
}

void add_rows(Output& output, const Scores& scores, std::uint64_t slots) {
  const auto add = [&](const Score& score, const std::string& operation) {
    if (!score.operations.contains(operation)) return;
    output.add(row_of(score, operation, slots, bytes_of(score, slots), scores.memory));
  };
  for (const std::string& operation : kScaleOperations) {
    for (const Score& score : scores.filters) add(score, operation);
    add(scores.memory, operation);
  }
}

void add_far_rows(Output& output, const Options& options, Progress& progress) {
  const Score far = run_far(options.memory_bytes, options.run, progress);
  for (const char* operation : {"read_single_far", "read_batch_far"}) {
    output.add(row_of(far, operation, nullptr, options.memory_bytes, far));
  }
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw LabError(fmt::format("cannot write {}: choose another file for --plot", file));
}

void run(const Options& options) {
  if (options.from == 0 || options.from % 64 != 0) throw LabError("--from must be a multiple of 64");
  if (options.from > options.to) throw LabError("--from must not be larger than --to");
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& filter : options.filters) entries.push_back(make_own_entry(filter, options.width));
  if (!options.plot.empty()) write(options.plot, "");  // a file that cannot be written fails before minutes of work
  Output output(options.json);
  std::vector<SizedScores> sizes;
  {
    Progress progress;
    for (std::uint64_t slots = options.from; slots <= options.to; slots *= options.step) {
      sizes.push_back({slots, run_size(entries, slots, options.run, progress)});
      add_rows(output, sizes.back().scores, slots);
    }
    add_far_rows(output, options, progress);
  }
  output.finish();
  if (!options.plot.empty()) write(options.plot, draw_scale(sizes, options.run.load));
}

}  // namespace

void add_bench_scale(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = bench.add_subcommand("scale", "the same operations on ever larger filters, beside as much memory");
  verb->add_option("--from", options->from, "slots of the smallest filter, a multiple of 64")->capture_default_str();
  verb->add_option("--to", options->to, "slots of the largest filter")->capture_default_str();
  verb->add_option("--step", options->step, "from one size to the next")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  verb->add_option("--load", options->run.load, "members per slot")
      ->check(CLI::Range(0.01, 1.0))
      ->capture_default_str();
  verb->add_option("--filters", options->filters, "rsqf, taf, utaf, exaf, taf-shift")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--width", options->width, "bits per remainder: 4, 8, 12 or 16")->capture_default_str();
  verb->add_option("--reps", options->run.reps, "repetitions of the queries; the median counts; fills happen once")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--probes", options->run.probes, "queries per operation")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--memory-bytes", options->memory_bytes, "array of the far reads, larger than the caches")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--seed", options->run.seed, "seed of the keys")->capture_default_str();
  verb->add_option("--plot", options->plot, "SVG file for a plot of the queries");
  verb->add_flag("--json", options->json, "JSON lines instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
