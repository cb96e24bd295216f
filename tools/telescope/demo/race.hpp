// One stream through one contestant, and what it cost.
#pragma once

#include <cstdint>
#include <functional>

#include "contestants.hpp"

namespace telescope::contest {

struct Lap {
  std::uint64_t queries = 0;
  std::uint64_t gets = 0, scans = 0;  // reads of the store
  std::uint64_t false_positives = 0;  // queries that made the store be read, in vain
  std::uint64_t repeated = 0;         // of these, for a key that had been one before
  double seconds = 0;

  Lap& operator+=(const Lap& other) noexcept;
};

struct Race {
  Lap warm_up, after;
  Lap all() const noexcept;
};

// `go_on` is told now and then how many queries are done; false ends the race early.
Outcome<Race> run_race(Contestant& contestant, Stream& stream, std::uint64_t warm_up, std::uint64_t after,
                       const std::function<bool(std::uint64_t)>& go_on);

}  // namespace telescope::contest
