// Figure "extremes", right: what an adversary who repeats false positives achieves, against the size of his query set.
//
// The paper: "the TAF does very well up until around |Q|/|S| = 20. After this point, the adversary is successfully able
// to force false positives." "The Cyclic ACF with s = 3 does surprisingly well on adversarial data even though it is
// known to not be adaptive." Rounds of ten subrounds; after each, what was never false is dropped; the last round
// counts.
#include "figures/figure.hpp"
#include "figures/rates.hpp"

namespace telescope::lab {

RateExperiment adversary_experiment(const Setting& setting) {
  return {.workload = setting.pick<std::vector<std::string>>({"--workload", "adversary", "--slots", "16384"},
                                                             {"--workload", "adversary", "--slots", "262144"}),
          .as = setting.pick<std::vector<double>>({1, 2, 5, 10, 15, 20, 25, 30, 40, 60, 80},
                                                  {1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100}),
          .seeds = setting.seeds(),
          .cost = setting.pick(3.0, 60.0) * setting.seeds(),
          .rate = field::kFprLast,
          .has_interval = false};
}

Figure adversary_figure() {
  return {"adversary", [](const Setting& setting) { return adversary_experiment(setting).jobs(); },
          [](const Setting& setting, const Results& results) {
            Panel panel = rate_panel(adversary_experiment(setting), results);
            panel.id = "adversary";
            panel.figure = "extremes, right";
            panel.title = "Adversary";
            panel.claim =
                "TAF does very well until Q/S is about 20; then the adversary forces false positives. Cyclic with s = "
                "3 does surprisingly well.";
            panel.x.label = "Q/S: the adversary's first queries per member";
            panel.y.label = "false-positive rate of the last round";
            return std::vector{panel};
          }};
}

}  // namespace telescope::lab
