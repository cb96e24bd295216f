// Which parameters of the paper's general code suit which eps.
#pragma once

#include <cmath>

namespace telescope::inline v1::detail {

struct GeneralParameters {
  unsigned x;
  unsigned y;
  friend bool operator==(const GeneralParameters&, const GeneralParameters&) = default;
};

// The shortest expected code of a letter with the probabilities of Corollary hashprobcor, normalised:
//   P(0) ~ e^(-c eps),  P(k) ~ eps^k sum_{i=1..k} c^i / i!,  c = unique negatives per member.
// Its length is  P(0) log 1/(1 - 2^-x)  +  P(>0) x   -- a matter of x alone --
//             +  P(>0) log 1/(1 - 2^-y) +  E[k - 1; k > 0] y  -- and of y alone.
// Pick c as the A/S at which codes should just fill. Not part of the coder, so floating point may serve.
inline GeneralParameters pick_parameters(double eps, double unique_negatives_per_member) noexcept {
  constexpr unsigned kMost = 24;
  const double c = unique_negatives_per_member;
  if (!(eps > 0 && eps < 1 && c > 0 && std::isfinite(c))) return {kMost, kMost};  // nothing ever adapts

  double nonzero = 0;
  double above_one = 0;  // E[k - 1; k > 0]
  double term = 1;       // c^k / k!
  double sum = 0;
  double power = 1;
  for (int k = 1; k < 2000; ++k) {
    term *= c / k;
    sum += term;
    power *= eps;
    const double p = power * sum;
    nonzero += p;
    above_one += (k - 1) * p;
    if (k > c && p < 1e-15 * nonzero) break;
  }
  const double zero = std::exp(-c * eps);

  const auto cheapest = [](double often, double seldom) {
    unsigned best = 1;
    double least = INFINITY;
    for (unsigned n = 1; n <= kMost; ++n) {
      const double bits = -often * std::log2(1 - std::ldexp(1.0, -static_cast<int>(n))) + seldom * n;
      if (bits < least) {
        least = bits;
        best = n;
      }
    }
    return best;
  };
  return {cheapest(zero, nonzero), cheapest(nonzero, above_one)};
}

}  // namespace telescope::inline v1::detail
