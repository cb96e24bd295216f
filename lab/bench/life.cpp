// telescope-lab bench life
#include "bench/life/life.hpp"

namespace telescope::lab {

void bench_life(const LifeOptions& options) {
  measure_parts(options, {{"load", measure_load},
                          {"growth", measure_growth},
                          {"snapshots", measure_snapshots},
                          {"threads", measure_threads}});
}

}  // namespace telescope::lab
