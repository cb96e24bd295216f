// The interleaved run: repetition by repetition, operation by operation, all contestants in short turns (turns.hpp).
#pragma once

#include <vector>

#include "bench/score.hpp"
#include "contestants/contestant.hpp"
#include "io/output.hpp"
#include "verbs.hpp"

namespace telescope::lab {

// At each load: inserts up to it, then queries. At the last load also adapts, and the same queries afterwards.
inline const std::vector<std::string> kOperations = {"insert",
                                                     "insert_batch",
                                                     "negative",
                                                     "positive",
                                                     "negative_batch",
                                                     "adapt",  // brings these three with it
                                                     "negative_adapted",
                                                     "positive_adapted",
                                                     "negative_batch_adapted"};

// The random reads of memory in the turns of an operation: batches beside batches. Empty if it has none.
std::string reads_beside(const std::string& operation);

// Scores for each load, in rising order.
std::vector<Scores> run_interleaved(const std::vector<ContestantFactory>& factories, const SpeedOptions& options,
                                    std::uint64_t slots, Progress& progress);

}  // namespace telescope::lab
