// Runs the jobs that have not run yet: several at once, those on the clock alone.
#pragma once

#include <vector>

#include "reproduce/job.hpp"
#include "reproduce/journal.hpp"

namespace telescope::lab {

// Throws what the first failed job threw; what finished before is in the journal.
void run_jobs(const std::vector<Job>& jobs, unsigned at_once, Journal& journal);

}  // namespace telescope::lab
