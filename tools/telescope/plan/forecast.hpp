// What a set will cost and what its filter will save, before there is one.
//
// From theory (the paper's section "Analysis"), with n members in S slots, remainders of r bits, A unique negatives:
//   - A fresh negative is a false positive with probability e = n/S 2^-r, and no query is worse off (sustained rate).
//   - x = A/S 2^-r is the mean number of adapts of a slot, and also the mean number of other negatives that hit the
//     remainder which an adapt has just chosen. Of these, at first half have been asked for before. So there are A e
//     false positives for the first time, A e x/2 more because of those adapts, A e x^2/2 because of these: in all, as
//     long as letters fit their codes and however often each negative is asked for, A e (1 + x/2 / (1 - x)).
//   - A slot's letter is 0 with probability exp(-x) (corollary on hash selectors).
//   - n / (b sqrt(e)) unique negatives need at most 1/e + b/(b-1)^2 bits of code per member (space theorem).
// Measured: what comes on top when letters do not fit their codes any more. It depends on the adapts per slot, so one
// curve over x serves every r.
#pragma once

#include <cstdint>
#include <telescope/kind.hpp>

#include "../verbs.hpp"

namespace telescope::tool {

struct Forecast {
  std::uint64_t unique = 0, queries = 0;  // as used, defaults filled in
  std::uint64_t slots = 0;
  double filter_bytes = 0, store_bytes = 0;

  double fresh_rate = 0;                // e
  double adapts_per_slot = 0;           // x
  double first_time = 0, settling = 0;  // false positives: A e, A e x/2 / (1 - x)
  double adapted = 0;                   // part of the members with a letter that is not 0
  double proven_unique = 0;             // negatives for which the space theorem promises that letters fit

  double overflow_rate = 0;       // measured: false positives per repeated query
  bool beyond_measured = false;   // the curve ends before x
  double static_positives = 0;    // of a filter that does not adapt
  double adaptive_positives = 0;  // of this one
  double store_us_without = 0, store_us_static = 0, store_us_adaptive = 0;
};

Forecast forecast(const PlanOptions& options);

}  // namespace telescope::tool
