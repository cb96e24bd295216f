// Writes a report into the directory that it is given: figures as an evaluation would have them, and all that could go
// wrong with drawing them. tests/browser/page.test.mjs looks at the page in a browser.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"

namespace {

using namespace telescope::lab;

const char* const kHostile = R"(</script><script>alert("1")</script> & 'it' <b>)";

struct Filter {
  const char* id;
  const char* name;
  double rate, growth;  // of false positives
  double speed;
};

const std::vector<Filter>& filters() {
  static const std::vector<Filter> all = {
      {"taf", "TAF", 6e-5, .018, 21},
      {"exaf", "exAF", 9e-5, .021, 19},
      {"cyclic1", "Cyclic ACF, s = 1", 1.9e-4, .024, 14},
      {"cyclic2", "Cyclic ACF, s = 2", 1.2e-4, .027, 13},
      {"cyclic3", "Cyclic ACF, s = 3", 2.1e-4, .026, 12},
      {"swapping", "Swapping ACF", 5e-5, .012, 15},
      {"cuckooing", "Cuckooing ACF", 3e-4, .008, 16},
      {"rsqf", "RSQF", 3.7e-3, 0, 27},
      {"vacuum", "Vacuum filter", 3.6e-3, 0, 24},
  };
  return all;
}

Panel active_set(const char* id, bool logarithmic_x) {
  Panel panel;
  panel.id = id;
  panel.figure = "Figure 3, left";
  panel.title = logarithmic_x ? "Firehose, active set" : "Firehose, active set, on a linear axis";
  panel.claim = "TAF and exAF keep false positives low while A/S is moderate; cyclic filters deteriorate earlier.";
  panel.finding = "TAF stays below the cyclic filters up to A/S 60, and repeats no false positive up to A/S 2.";
  panel.x = {"A/S", logarithmic_x};
  panel.y = {"false-positive rate", true};
  for (const Filter& filter : filters()) {
    Panel::Series series{filter.id, filter.name, {}};
    for (const double as : {1., 2., 5., 10., 20., 30., 40., 50., 60., 80., 100.}) {
      double rate = filter.rate * std::exp(filter.growth * as) * (1 + .1 * std::sin(as));
      if (series.filter == "taf" && as <= 2) rate = 0;
      series.points.push_back(
          {as, rate, rate * (as < 5 ? .3 : .08),
           fmt::format("telescope-lab fpr --workload active --queries 10000000 --as {:g} --filters {} "
                       "--policy reset --seeds 10",
                       as, filter.id)});
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

Panel throughput() {
  Panel panel;
  panel.id = "throughput-query";
  panel.figure = "Figure 6, right";
  panel.title = "Throughput of queries";
  panel.claim = "TAF answers about half as many queries per second as the RSQF.";
  panel.x = {"load", false};
  panel.y = {"million queries per second", false};
  for (const Filter& filter : filters()) {
    Panel::Series series{filter.id, filter.name, {}};
    for (double load = .1; load < .96; load += load < .85 ? .1 : .05) {
      const double speed = filter.speed * (1.1 - .5 * load * load);
      series.points.push_back({load, speed, .6, "telescope-lab bench speed --load " + fmt::format("{:.2f}", load)});
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

// Values that have no place, and text that is none of ours.
Panel odd() {
  const double nan = std::nan("");
  Panel panel;
  panel.id = "odd";
  panel.figure = kHostile;
  panel.title = fmt::format("Odd {}", kHostile);
  panel.claim = kHostile;
  panel.finding = kHostile;
  panel.x = {kHostile, true};
  panel.y = {"zero \"and\" less", true};
  panel.series.push_back({kHostile, kHostile, {{1, 1e-3, 5e-4, kHostile}, {10, nan, nan, "x"}, {100, 2e-3, 5e-3, ""}}});
  panel.series.push_back({"zeros", "all, \"zero\"", {{0, 0, nan, ""}, {1, 0, 1e-4, ""}, {100, 0, 0, ""}}});
  panel.series.push_back({"lost", "no point at all", {{1, nan, nan, ""}, {nan, 1, nan, ""}}});
  panel.series.push_back({"taf", "TAF", {{1e-3, 1e-9, nan, ""}, {1e6, 1, nan, ""}}});
  for (int i = 0; i < 9; ++i) {
    panel.series.push_back({fmt::format("peer{}", i),
                            fmt::format("Peer {} with a name of some length that goes on", i),
                            {{5. + i, 1e-5 * (i + 1), nan, ""}, {500, 1e-4 * (i + 1), nan, ""}}});
  }
  return panel;
}

Panel lonely() {
  Panel panel;
  panel.id = "lonely";
  panel.figure = "Table 1";
  panel.title = "One point";
  panel.x = {"x", false};
  panel.y = {"y", false};
  panel.series.push_back({"exaf", "exAF", {{5, 5, std::nan(""), ""}}});
  return panel;
}

std::vector<ClaimResult> claims() {
  const std::string fpr =
      "telescope-lab fpr --workload uniform --slots 1048576 --as 10 --filters taf,cyclic1 --seeds 10";
  return {{"taf-below-cyclic", "TAF has fewer false positives than every cyclic filter at A/S up to 30.", "6.2",
           "5x fewer", "6.1x fewer (5.8 to 6.4)", Verdict::holds, "", fpr},
          {"query-half", "Queries of an adapted TAF run at half the speed of the RSQF.", "6.4", "0.5x", "0.79x",
           Verdict::differs, "Candidates are compared at once, so that codes are rarely decoded.",
           "telescope-lab bench speed"},
          {"hostile", kHostile, kHostile, kHostile, kHostile, Verdict::fails, kHostile, kHostile}};
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 2) return 2;
  Report report;
  report.manifest = {{"commit", "0123456789abcdef0123456789abcdef01234567"},
                     {"compiler", "g++ 12.2.0, -O3"},
                     {"cpu", "Some Processor 9000 @ 2.10GHz, 2 cores"},
                     {"scale", 0.25},
                     {"seeds", {1, 2, 3, 4, 5}},
                     {"hostile_text", kHostile},
                     {"started", "2021-07-01T12:00:00Z"}};
  report.panels = {active_set("active-set", true), active_set("active-set-linear", false), throughput(), odd(),
                   lonely()};
  report.claims = claims();
  std::filesystem::create_directories(arguments[1]);
  write_report(report, arguments[1]);
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
