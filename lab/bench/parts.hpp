// What `bench life` and `bench guard` have in common: parts that can be chosen, and rows that set ours beside theirs.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/output.hpp"
#include "measure/statistics.hpp"

namespace telescope::lab {

using Rows = std::vector<Row>;

// `ours` and `theirs` in the same unit; the ratio is so made that more is better.
inline Row pair_row(const std::string& what, const std::string& unit, double ours, const std::string& against,
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
  Row more_is_better(const std::string& what, const std::string& unit, const std::string& against) const {
    return row(what, unit, against, true);
  }
  Row less_is_better(const std::string& what, const std::string& unit, const std::string& against) const {
    return row(what, unit, against, false);
  }

 private:
  Row row(const std::string& what, const std::string& unit, const std::string& against, bool more) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours_.size(); ++i)
      ratios.push_back(more ? ours_[i] / theirs_[i] : theirs_[i] / ours_[i]);
    Row row = pair_row(what, unit, median(ours_), against, median(theirs_), median(ratios));
    row["ratio_by_repetition"] = ratios;
    return row;
  }

  std::vector<double> ours_, theirs_;
};

// Measures the chosen parts and prints their rows.
template <class Options>
void measure_parts(const Options& options,
                   const std::vector<std::pair<std::string, Rows (*)(const Options&, Progress&)>>& parts) {
  Output output(options.json);
  {
    Progress progress;
    for (const auto& [name, measure] : parts) {
      if (!options.parts.empty() && std::ranges::find(options.parts, name) == options.parts.end()) continue;
      for (const Row& row : measure(options, progress)) output.add(row);
    }
  }
  output.finish();
}

}  // namespace telescope::lab
