// Figure "sandia": false-positive rate on FireHose's streams against A/S. S varies, A does not.
//
// The paper, left, on the active set: "the TAF is the best data structure for moderate A/S. Above A/S about 20,
// rebuilds become frequent enough that TAF performance degrades somewhat, after which its performance is similar to
// that of the Cyclic ACF with s = 2 (second to the Swapping ACF)." "The exAF performs substantially worse than the
// TAF." Ten million queries. Right, on the power law: "the TAF is competitive for most A/S values, although again it is
// best for moderate values." Fifty million queries.
#include "figures/figure.hpp"
#include "figures/rates.hpp"

namespace telescope::lab {

RateExperiment active_set_experiment(const Setting& setting) {
  return {.workload = {"--workload", "active"},
          .as = setting.pick<std::vector<double>>({1, 2, 5, 10, 15, 20, 25, 30, 40, 60, 80, 100},
                                                  {1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}),
          .seeds = setting.seeds(),
          .cost = 4.5 * setting.seeds()};
}

RateExperiment power_law_experiment(const Setting& setting) {
  return {.workload = {"--workload", "powerlaw"},
          .as = setting.pick<std::vector<double>>({1, 5, 10, 20, 30, 50, 100},
                                                  {1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100}),
          .seeds = setting.seeds(),
          .cost = 12.0 * setting.seeds()};
}

Figure active_set_figure() {
  return {"active-set", [](const Setting& setting) { return active_set_experiment(setting).jobs(); },
          [](const Setting& setting, const Results& results) {
            Panel panel = rate_panel(active_set_experiment(setting), results);
            panel.id = "active-set";
            panel.figure = "sandia, left";
            panel.title = "FireHose, active set";
            panel.claim =
                "TAF is the best for moderate A/S. Above about 20 it degrades somewhat, and is then similar to the "
                "Cyclic ACF with s = 2, second to the Swapping ACF. The exAF does substantially worse.";
            return std::vector{panel};
          }};
}

Figure power_law_figure() {
  return {"power-law", [](const Setting& setting) { return power_law_experiment(setting).jobs(); },
          [](const Setting& setting, const Results& results) {
            Panel panel = rate_panel(power_law_experiment(setting), results);
            panel.id = "power-law";
            panel.figure = "sandia, right";
            panel.title = "FireHose, power law";
            panel.claim = "TAF is competitive for most A/S, and best for moderate ones.";
            return std::vector{panel};
          }};
}

}  // namespace telescope::lab
