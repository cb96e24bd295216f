// Figure "sandia", right: false-positive rate on FireHose's power law against A/S.
//
// The paper: "the TAF is competitive for most A/S values, although again it is best for moderate values." Fifty million
// queries.
#include "figures/experiments.hpp"
#include "figures/figure.hpp"

namespace telescope::lab {

RateExperiment power_law_experiment(const Setting& setting) {
  return {.workload = {"--workload", "powerlaw"},
          .as = setting.pick<std::vector<double>>({1, 5, 10, 20, 30, 50, 100},
                                                  {1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}),
          .seeds = setting.seeds(),
          .cost = 12.0 * setting.seeds()};
}

namespace {

std::vector<Job> jobs(const Setting& setting) { return power_law_experiment(setting).jobs(); }

std::vector<Panel> panels(const Setting& setting, const Results& results) {
  Panel panel;
  panel.id = "power-law";
  panel.figure = "sandia, right";
  panel.title = "FireHose, power law";
  panel.claim = "TAF is competitive for most A/S, and best for moderate ones.";
  panel.x = {"A/S: unique negatives per member", true};
  panel.y = {"false-positive rate", true};
  panel.series = power_law_experiment(setting).series(results);
  panel.finding = who_is_lowest(panel.series);
  return {panel};
}

}  // namespace

Figure power_law_figure() { return {"power-law", jobs, panels}; }

}  // namespace telescope::lab
