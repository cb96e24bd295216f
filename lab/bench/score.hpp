// What a run measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/statistics.hpp"

namespace telescope::lab {

// One filter and operation over the repetitions.
struct Sample {
  struct Booked {
    double operations = 0;
    double seconds = 0;
  };
  std::vector<Booked> booked;  // by repetition, all turns together
  std::uint64_t queries = 0;   // on the clock and off
  std::uint64_t hits = 0;

  // Million operations per second by repetition; NaN where there was nothing to measure.
  std::vector<double> mops() const {
    std::vector<double> rates;
    for (const Booked& b : booked) rates.push_back(b.operations / b.seconds / 1e6);
    return rates;
  }
};

struct Score {
  std::string filter;
  bool peer = false;
  double bits_per_slot = 0;
  std::map<std::string, Sample> operations{};

  const Sample* find(const std::string& operation) const {
    const auto found = operations.find(operation);
    return found == operations.end() ? nullptr : &found->second;
  }
};

// All contestants at one number of slots and one load. Inserts are those since the load before.
struct Scores {
  std::uint64_t slots = 0;
  double load = 0;
  std::vector<Score> filters;
  // Random reads of an array as large as the smallest filter: caches help no filter more than they help these.
  Score memory;
};

// Repetition by repetition, then the median: both of a pair ran in the same moments. Nullopt without one of them.
inline std::optional<double> ratio(const Sample& sample, const Sample* other) {
  if (other == nullptr) return std::nullopt;
  const std::vector<double> ours = sample.mops(), theirs = other->mops();
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) ratios.push_back(ours[i] / theirs[i]);
  return median(ratios);
}

}  // namespace telescope::lab
