// FireHose's power-law generator: independent draws from a truncated Yule-Simon distribution over 100,000 keys, with
// probability proportional to about i^-1.5. The paper's run is its default, 50 million keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "workloads/rand_r.hpp"

namespace telescope::lab {

class PowerLaw {
 public:
  static constexpr std::uint64_t kFirstKey = 1'000'000'000;

  explicit PowerLaw(std::uint32_t seed = kFirehoseSeed) : random_(seed), cumulative_(kKeys), guide_(kGuides + 1) {
    for (std::uint32_t i = 1; i < kKeys; ++i) cumulative_[i] = share_up_to(i);
    std::uint32_t at = 0;
    for (std::uint32_t g = 0; g <= kGuides; ++g) {
      while (at + 1 < kKeys && cumulative_[at] < std::uint64_t{g} << kGuideShift) ++at;
      guide_[g] = at;
    }
  }

  std::uint64_t next() noexcept {
    std::uint32_t draw = random_.next();
    while (draw >= cumulative_.back()) draw = random_.next();
    return kFirstKey + index_of(draw);
  }

  // The integer distribution function, scaled to rand_r's range.
  const std::vector<std::uint32_t>& cumulative() const noexcept { return cumulative_; }

 private:
  static constexpr std::uint32_t kKeys = 100'000;
  static constexpr double kConcentration = 0.5;
  static constexpr unsigned kGuideShift = 15;
  static constexpr std::uint32_t kGuides = 1u << (31 - kGuideShift);

  // Lanczos' formula with six terms, as in Numerical Recipes. The C library's lgamma is better, and gives other
  // streams.
  static double log_gamma(double x) {
    const double t = x + 4.5 - (x - 0.5) * std::log(x + 4.5);
    const double series = 1.000000000190015 + 76.18009172947146 / x - 86.50532032941677 / (x + 1) +
                          24.01409824083091 / (x + 2) - 1.231739572450155 / (x + 3) + 0.1208650973866179e-2 / (x + 4) -
                          0.5395239384953e-5 / (x + 5);
    return std::log(2.5066282746310005 * series) - t;
  }

  static std::uint32_t share_up_to(std::uint32_t i) {
    const double x = i;
    const double beta = std::exp(log_gamma(x) + log_gamma(kConcentration + 1) - log_gamma(x + kConcentration + 1));
    return static_cast<std::uint32_t>((1 - x * beta) * RandR::kMax);
  }

  // The smallest i with cumulative[i] >= draw. The guide has the answers for multiples of 2^15: most searches end
  // there.
  std::uint32_t index_of(std::uint32_t draw) const noexcept {
    const std::uint32_t g = draw >> kGuideShift;
    const auto first = cumulative_.begin() + guide_[g];
    if (*first >= draw) return guide_[g];
    const auto last = cumulative_.begin() + guide_[g + 1];
    return static_cast<std::uint32_t>(std::lower_bound(first, last, draw) - cumulative_.begin());
  }

  RandR random_;
  std::vector<std::uint32_t> cumulative_;
  std::vector<std::uint32_t> guide_;
};

}  // namespace telescope::lab
