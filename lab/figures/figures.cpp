#include "figures/figure.hpp"

namespace telescope::lab {

std::vector<Figure> all_figures() {
  return {active_set_figure(), power_law_figure(), traces_figure(), adversary_figure(), throughput_figure()};
}

}  // namespace telescope::lab
