// The few statistics that the verbs report.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace telescope::lab {

inline double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

inline double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Returns half the width of the 95 % interval of a mean of independent values (normal approximation).
inline double mean_ci(std::span<const double> values) {
  if (values.size() < 2) return std::nan("");
  const double centre = mean(values);
  double squares = 0;
  for (const double v : values) squares += (v - centre) * (v - centre);
  const auto n = static_cast<double>(values.size());
  return 1.96 * std::sqrt(squares / (n - 1) / n);
}

// Returns the same for a share of `hits` in `trials`.
inline double share_ci(double hits, double trials) {
  if (trials <= 0) return std::nan("");
  const double p = hits / trials;
  return 1.96 * std::sqrt(p * (1 - p) / trials);
}

}  // namespace telescope::lab
