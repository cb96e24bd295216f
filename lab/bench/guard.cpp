// telescope-lab bench guard: store reads, false positives, time and memory of a guard over RocksDB.
#include "bench/guard/guard.hpp"

namespace telescope::lab {

void bench_guard(const GuardOptions& options) {
  measure_parts(
      options,
      {{"adversary", measure_adversary}, {"skewed", measure_skewed}, {"clock", measure_clock}, {"add", measure_add}});
}

}  // namespace telescope::lab
