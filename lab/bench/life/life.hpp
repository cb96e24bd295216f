// What `bench life` measures, one function per part of a filter's life. Each yields rows of the same fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <telescope/filter.hpp>
#include <vector>

#include "io/output.hpp"

namespace telescope::lab {

struct LifeOptions {
  std::uint64_t slots = std::uint64_t{1} << 24;         // bulk load and snapshots
  std::uint64_t members = 1'000'000;                    // growth
  std::uint64_t thread_slots = std::uint64_t{1} << 22;  // threads
  std::uint64_t operations = std::uint64_t{1} << 22;    // of each thread
  double load = 0.95;
  unsigned unique_negatives = 10;  // per member, to adapt on before growing
  unsigned reps = 5;
  std::uint64_t seed = 1;
  std::filesystem::path directory;  // for snapshots; empty: the system's temporary directory
};

// `ours` and `theirs` in the same unit; the ratio is so made that more is better.
inline Row life_row(const std::string& what, const std::string& unit, double ours, const std::string& against,
                    double theirs, double ratio) {
  Row row;
  row["what"] = what;
  row["unit"] = unit;
  row["ours"] = ours;
  row["against"] = against;
  row["theirs"] = theirs;
  row["ratio"] = ratio;
  return row;
}

// Medians over the repetitions, and the median of the ratios within each.
class Pairs {
 public:
  void add(double ours, double theirs) {
    ours_.push_back(ours);
    theirs_.push_back(theirs);
  }
  Row more_is_better(const std::string& what, const std::string& unit, const std::string& against) const;
  Row less_is_better(const std::string& what, const std::string& unit, const std::string& against) const;

 private:
  Row row(const std::string& what, const std::string& unit, const std::string& against, bool more) const;
  std::vector<double> ours_, theirs_;
};

using Rows = std::vector<Row>;

Rows measure_load(const LifeOptions& options, Progress& progress);
Rows measure_growth(const LifeOptions& options, Progress& progress);
Rows measure_snapshots(const LifeOptions& options, Progress& progress);
Rows measure_threads(const LifeOptions& options, Progress& progress);

}  // namespace telescope::lab
