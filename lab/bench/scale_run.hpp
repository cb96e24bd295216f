// The scaling run: the same operations on ever larger filters, beside random reads of as much memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/score.hpp"
#include "contestants/contestant.hpp"
#include "io/output.hpp"

namespace telescope::lab {

struct ScaleOptions {
  double load = 0.95;
  unsigned reps = 3;
  std::uint64_t probes = std::uint64_t{1} << 22;  // queries per operation
  std::uint64_t seed = 1;
};

// Fills each filter once, in chunks: beside the filters, memory does not grow with the slots. Then queries them in each
// repetition, interleaved.
Scores run_size(const std::vector<std::unique_ptr<Entry>>& entries, std::uint64_t slots, const ScaleOptions& options,
                Progress& progress);

// The reads alone, as read_single_far and read_batch_far, on an array larger than the caches.
Score run_far(std::uint64_t bytes, const ScaleOptions& options, Progress& progress);

}  // namespace telescope::lab
