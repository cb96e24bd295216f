// The counters of a guard in the text format of Prometheus.
#include <string>

#include "telescope/guard.hpp"

namespace telescope::inline v1 {
namespace {

void metric(std::string& text, std::string_view name, std::string_view type, std::string_view help,
            std::string_view labels, const std::string& value) {
  const std::string full = "telescope_" + std::string(name);
  text += "# HELP " + full + " " + std::string(help) + "\n# TYPE " + full + " " + std::string(type) + "\n" + full;
  if (!labels.empty()) text += "{" + std::string(labels) + "}";
  text += " " + value + "\n";
}

}  // namespace

std::string to_prometheus(const GuardCounters& counters, const GuardInfo& info, std::string_view labels) {
  std::string text;
  const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    metric(text, name, "counter", help, labels, std::to_string(value));
  };
  const auto gauge = [&](std::string_view name, std::string_view help, const std::string& value) {
    metric(text, name, "gauge", help, labels, value);
  };
  counter("queries_total", "Keys asked for by contains and get.", counters.queries);
  counter("filter_negatives_total", "Queries that the filter alone answered: store reads saved.",
          counters.filter_negatives);
  counter("true_positives_total", "Queries for members.", counters.true_positives);
  counter("false_positives_total", "Queries that the store was asked in vain.", counters.false_positives);
  counter("repeated_false_positives_total", "False positives that were among the remembered ones.",
          counters.repeated_false_positives);
  counter("store_reads_total", "Point reads of the store.", counters.store_reads);
  counter("scans_total", "Range scans of the store.", counters.scans);
  counter("writes_total", "Records put or erased.", counters.writes);
  counter("adapts_total", "False positives repaired.", counters.adapts);
  counter("adapts_withheld_total", "False positives that the rate limit left as they are.", counters.adapts_withheld);
  counter("adapts_too_long_total", "False positives in runs of more members than an adapt fetches.",
          counters.adapts_too_long);
  counter("overflows_total", "Codes that a change did not fit.", counters.overflows);
  counter("evictions_total", "Letters that overflows set back to zero.", counters.evictions);
  counter("growths_total", "Times that the filter began to grow.", counters.growths);
  counter("store_errors_total", "Operations that the store failed.", counters.store_errors);
  gauge("doubts", "Keys in doubt, after writes that failed.", std::to_string(counters.doubts));
  gauge("members", "Members of the set.", std::to_string(info.members));
  gauge("slots", "Slots of the filter.", std::to_string(info.slots));
  gauge("load", "Members per slot.", std::to_string(info.load));
  gauge("filter_bytes", "Memory of the filter.", std::to_string(info.filter_bytes));
  gauge("store_bytes", "Disk space of the store, 0 if unknown.", std::to_string(info.store_bytes));
  return text;
}

}  // namespace telescope::inline v1
