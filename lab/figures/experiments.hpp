// The experiments behind the figures; claims read the same results.
#pragma once

#include "figures/rates.hpp"

namespace telescope::lab {

RateExperiment active_set_experiment(const Setting& setting);
RateExperiment power_law_experiment(const Setting& setting);
RateExperiment flows_experiment(const Setting& setting);
RateExperiment adversary_experiment(const Setting& setting);
Job throughput_job(const Setting& setting);

}  // namespace telescope::lab
