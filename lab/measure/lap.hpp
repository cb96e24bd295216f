// Time and counters of one timed loop.
#pragma once

#include "measure/counters.hpp"
#include "measure/stopwatch.hpp"

namespace telescope::lab {

struct Cost {
  double seconds = 0;
  Counts counts;

  Cost& operator+=(const Cost& other) noexcept {
    seconds += other.seconds;
    counts += other.counts;
    return *this;
  }
};

// Starts with its life. The clock starts last and stops first.
class Lap {
 public:
  explicit Lap(const Counters& counters) : counters_(counters), before_(counters.read()) {}

  Cost stop() const {
    Cost cost{watch_.seconds(), {}};
    cost.counts = counters_.read();
    cost.counts -= before_;
    return cost;
  }

 private:
  const Counters& counters_;
  Counts before_;
  Stopwatch watch_;
};

}  // namespace telescope::lab
