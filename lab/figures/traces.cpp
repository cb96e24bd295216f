// Figures "app-network" and "extremes", left: false-positive rate on network traces.
//
// The paper: "On network trace datasets, most filters are equally effective at fixing false positives, and their
// performance is determined mostly by their baseline false positive rate." "This gives the Cuckooing ACF an advantage."
// "The TAF and exAF perform similarly to the Swapping ACF and ACF1."
//
// Its three traces must be asked for at CAIDA. Here packets of made-up flows stand in for them; a real capture, or any
// trace, is one more panel by --trace FILE. Some of the flows are members, packets of the others are queries.
#include <fmt/core.h>

#include <filesystem>

#include "figures/figure.hpp"
#include "figures/rates.hpp"

namespace telescope::lab {
namespace {

RateExperiment experiment(const Setting& setting, std::vector<std::string> workload) {
  return {.workload = std::move(workload),
          .as = setting.pick<std::vector<double>>({1, 5, 10, 20, 50, 100}, {1, 2, 5, 10, 15, 20, 30, 40, 50, 70, 100}),
          .seeds = setting.seeds(),
          .cost = 7.0 * setting.seeds()};
}

RateExperiment trace_experiment(const Setting& setting, const std::string& file) {
  return experiment(setting, {"--workload", "trace", file});
}

}  // namespace

RateExperiment flows_experiment(const Setting& setting) { return experiment(setting, {"--workload", "flows"}); }

namespace {

std::vector<Job> jobs(const Setting& setting) {
  std::vector<Job> made = flows_experiment(setting).jobs();
  for (const std::string& file : setting.traces) {
    for (const Job& job : trace_experiment(setting, file).jobs()) made.push_back(job);
  }
  return made;
}

Panel panel_of(const RateExperiment& experiment, const Results& results) {
  Panel panel = rate_panel(experiment, results);
  panel.figure = "app-network; extremes, left";
  panel.claim =
      "Most filters fix false positives equally well, so the rate of first-time queries decides, and Cuckooing's is "
      "the "
      "lowest. TAF and exAF perform similarly to Swapping and to Cyclic with s = 1.";
  return panel;
}

std::vector<Panel> panels(const Setting& setting, const Results& results) {
  std::vector<Panel> made{panel_of(flows_experiment(setting), results)};
  made.front().id = "flows";
  made.front().title = "Packets of flows (synthetic)";
  for (std::size_t i = 0; i < setting.traces.size(); ++i) {
    made.push_back(panel_of(trace_experiment(setting, setting.traces[i]), results));
    made.back().id = fmt::format("trace-{}", i + 1);
    made.back().title = "Trace " + std::filesystem::path(setting.traces[i]).filename().string();
  }
  return made;
}

}  // namespace

Figure traces_figure() { return {"traces", jobs, panels}; }

}  // namespace telescope::lab
