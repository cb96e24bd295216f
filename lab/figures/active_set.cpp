// Figure "sandia", left: false-positive rate on FireHose's active set against A/S.
//
// The paper: "the TAF is the best data structure for moderate A/S. Above A/S about 20, rebuilds become frequent enough
// that TAF performance degrades somewhat, after which its performance is similar to that of the Cyclic ACF with s = 2
// (second to the Swapping ACF)." "The exAF performs substantially worse than the TAF." Ten million queries; S varies, A
// does not.
#include "figures/experiments.hpp"
#include "figures/figure.hpp"

namespace telescope::lab {

RateExperiment active_set_experiment(const Setting& setting) {
  return {.workload = {"--workload", "active"},
          .as = setting.pick<std::vector<double>>({1, 2, 5, 10, 15, 20, 25, 30, 40, 60, 80, 100},
                                                  {1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}),
          .seeds = setting.seeds(),
          .cost = 4.5 * setting.seeds()};
}

namespace {

std::vector<Job> jobs(const Setting& setting) { return active_set_experiment(setting).jobs(); }

std::vector<Panel> panels(const Setting& setting, const Results& results) {
  Panel panel;
  panel.id = "active-set";
  panel.figure = "sandia, left";
  panel.title = "FireHose, active set";
  panel.claim =
      "TAF is the best for moderate A/S. Above about 20 it degrades somewhat, and is then similar to the Cyclic ACF "
      "with "
      "s = 2, second to the Swapping ACF. The exAF does substantially worse.";
  panel.x = {"A/S: unique negatives per member", true};
  panel.y = {"false-positive rate", true};
  panel.series = active_set_experiment(setting).series(results);
  panel.finding = who_is_lowest(panel.series);
  return {panel};
}

}  // namespace

Figure active_set_figure() { return {"active-set", jobs, panels}; }

}  // namespace telescope::lab
