// The figures of the paper's evaluation, a file each, which opens with what the paper says of it.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "reproduce/job.hpp"

namespace telescope::lab {

struct Figure {
  std::string id;  // on the command line
  std::vector<Job> (*jobs)(const Setting&);
  std::vector<Panel> (*panels)(const Setting&, const Results&);
};

Figure active_set_figure();
Figure power_law_figure();
Figure traces_figure();
Figure adversary_figure();
Figure throughput_figure();

inline std::vector<Figure> all_figures() {
  return {active_set_figure(), power_law_figure(), traces_figure(), adversary_figure(), throughput_figure()};
}

Job throughput_job(const Setting& setting);  // claims read its results

}  // namespace telescope::lab
