// telescope-lab trace
#include <memory>

#include "io/errors.hpp"
#include "io/output.hpp"
#include "trace/options.hpp"
#include "trace/reuse.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Options {
  TraceOptions trace;
  bool json = false;
};

void run(const Options& options) {
  ReuseDistances distances;
  const TraceSummary summary = read_trace(options.trace, [&](std::uint64_t key) { distances.add(key); });
  if (distances.accesses() == 0) throw LabError(options.trace.file + " holds no keys: give another file or --format");
  Row row;
  row["trace"] = options.trace.file;
  row["format"] = summary.format;
  row["accesses"] = distances.accesses();
  row["unique"] = distances.unique();
  row["repeats"] = distances.repeats();
  row["accesses_per_key"] = static_cast<double>(distances.accesses()) / static_cast<double>(distances.unique());
  row["distance_mean"] = distances.mean();
  row["distance_p10"] = distances.quantile(0.10);
  row["distance_median"] = distances.quantile(0.50);
  row["distance_p90"] = distances.quantile(0.90);
  row["distance_p99"] = distances.quantile(0.99);
  row["distance_max"] = distances.quantile(1.0);
  row["skipped"] = summary.skipped;
  Output output(options.json);
  output.add(row);
  output.finish();
}

}  // namespace

void add_trace(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "trace", "describe a trace: accesses, keys, and how many other keys lie between two accesses to one");
  verb->add_option("file", options->trace.file, "u64, text, csv, pcap or pcapng")->required();
  add_trace_options(*verb, options->trace);
  verb->add_flag("--json", options->json, "one JSON object instead of a table");
  verb->callback([options] { run(*options); });
}

}  // namespace telescope::lab
