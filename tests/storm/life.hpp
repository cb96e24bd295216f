// One life of a set in a storm: from when it is opened until it is killed, or its time is up.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <telescope/guard.hpp>
#include <telescope/testing/faults.hpp>

#include "journal.hpp"

namespace telescope::storm {

struct LifeOptions {
  std::uint64_t seed = 1;
  std::chrono::milliseconds length{1000};
  bool failing_allocations = false;
};

// Compares the set, just opened, with the journal, and settles in the journal what a killed process has left open.
// Returns whether everything is as it may be.
bool inspect(Guard& guard, Journal& journal);

// Writers, readers, and one who saves, rebuilds, resizes and verifies, all at once, while the store fails. Returns when
// the time is up, or early if an answer was wrong.
void live(Guard& guard, Faults& faults, Journal& journal, const LifeOptions& options);

}  // namespace telescope::storm
