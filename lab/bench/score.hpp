// What a run measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/counters.hpp"
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
  double decodes = -1;
  double operations = 0;  // in all, those that the counts are about
  Counts counts;

  // By repetition; NaN where there was nothing to measure.
  std::vector<double> mops() const {
    std::vector<double> rates;
    for (const Booked& b : booked) rates.push_back(b.operations / b.seconds / 1e6);
    return rates;
  }
};

struct Score {
  std::string filter;
  bool ours = false;
  double bits_per_slot = 0;
  std::map<std::string, Sample> operations;
};

struct Scores {
  std::vector<Score> filters;
  // Random reads of an array as large as the smallest filter: caches help no filter more than they help these.
  Score memory;
};

inline std::uint64_t bytes_of(const Score& score, std::uint64_t slots) noexcept {
  return static_cast<std::uint64_t>(score.bits_per_slot * static_cast<double>(slots) / 8);
}

inline double smallest_bits_per_slot(const std::vector<Score>& scores) noexcept {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Score& score : scores) smallest = std::min(smallest, score.bits_per_slot);
  return smallest;
}

// Repetition by repetition, then the median: both of a pair ran in the same moments.
// Nullopt if the other did no such operation.
inline std::optional<double> ratio(const Sample& sample, const Score& other, const std::string& operation) {
  const auto found = other.operations.find(operation);
  if (found == other.operations.end()) return std::nullopt;
  const std::vector<double> ours = sample.mops(), base = found->second.mops();
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(ours.size(), base.size()); ++i) ratios.push_back(ours[i] / base[i]);
  return median(ratios);
}

// The random reads of the machine that an operation compares with: batches with batches, and in the same turns.
inline std::string reads_beside(const std::string& operation) {
  const bool batch = operation.find("batch") != std::string::npos;
  const bool adapted = operation.ends_with("_adapted");
  return std::string(batch ? "read_batch" : "read_single") + (adapted ? "_adapted" : "");
}

inline std::optional<double> ratio_to_memory(const Sample& sample, const std::string& operation, const Score& memory) {
  if (operation.starts_with("read")) return std::nullopt;
  return ratio(sample, memory, reads_beside(operation));
}

}  // namespace telescope::lab
