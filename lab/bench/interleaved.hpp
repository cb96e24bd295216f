// The interleaved run: repetition by repetition, operation by operation, all contestants in short turns (turns.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/score.hpp"
#include "contestants/contestant.hpp"
#include "io/output.hpp"

namespace telescope::lab {

struct RunOptions {
  std::uint64_t slots = std::uint64_t{1} << 22;
  double load = 0.95;
  unsigned reps = 5;
  double unique_negatives = 10;                   // per member
  std::uint64_t probes = std::uint64_t{1} << 22;  // queries per operation
  std::uint64_t seed = 1;
};

inline const std::vector<std::string> kOperations = {"insert",
                                                     "insert_batch",
                                                     "negative",
                                                     "read_single",
                                                     "positive",
                                                     "negative_batch",
                                                     "read_batch",
                                                     "adapt",
                                                     "negative_adapted",
                                                     "read_single_adapted",
                                                     "positive_adapted",
                                                     "negative_batch_adapted",
                                                     "read_batch_adapted"};

Scores run_interleaved(const std::vector<std::unique_ptr<Entry>>& entries, const RunOptions& options,
                       const Counters& counters, Progress& progress);

}  // namespace telescope::lab
