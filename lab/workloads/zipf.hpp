// Zipf: of A unique negatives, the k-th is queried with probability proportional to k^-s.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "workloads/random.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

// Ranks 1..n by rejection-inversion (Hörmann and Derflinger 1996): no table, so n may be large. The area under x^-s
// over [k - 1/2, k + 1/2] is more than k^-s; a point of it is taken for k if it lies in a part as large as k^-s.
class ZipfRanks {
 public:
  ZipfRanks(std::uint64_t n, double exponent)
      : n_(static_cast<double>(n)),
        exponent_(exponent),
        from_(area(1.5) - 1),
        to_(area(n_ + 0.5)),
        surely_(2 - inverse(area(2.5) - std::pow(2.0, -exponent))) {}

  std::uint64_t operator()(Random& random) const {
    for (;;) {
      const double u = to_ + random.uniform() * (from_ - to_);
      const double x = inverse(u);
      const double k = std::fmin(std::fmax(std::round(x), 1), n_);
      if (k - x <= surely_ || u >= area(k + 0.5) - std::pow(k, -exponent_)) return static_cast<std::uint64_t>(k);
    }
  }

 private:
  // The integral of x^-s, and its inverse; s = 1 is the logarithm.
  double area(double x) const {
    const double a = 1 - exponent_;
    return std::abs(a) < 1e-9 ? std::log(x) : (std::pow(x, a) - 1) / a;
  }
  double inverse(double u) const {
    const double a = 1 - exponent_;
    return std::abs(a) < 1e-9 ? std::exp(u) : std::pow(std::fmax(1 + u * a, 0), 1 / a);
  }

  double n_, exponent_, from_, to_, surely_;
};

class ZipfWorkload final : public Workload {
 public:
  struct Options {
    std::uint64_t members = 0;  // keys[0, members)
    std::uint64_t unique = 0;   // A: the keys behind
    std::uint64_t queries = 0;
    double exponent = 1;
  };

  ZipfWorkload(const Options& options, Keys keys, std::uint64_t seed)
      : options_(options),
        keys_(keys),
        random_(seed),
        ranks_(options.unique, options.exponent),
        seen_(static_cast<std::size_t>(options.unique)) {}

  std::optional<Query> next() override {
    if (asked_++ == options_.queries) return std::nullopt;
    const std::uint64_t rank = ranks_(random_) - 1;
    const bool repeat = seen_[static_cast<std::size_t>(rank)];
    seen_[static_cast<std::size_t>(rank)] = true;
    return Query{keys_[options_.members + rank], repeat};
  }

 private:
  Options options_;
  Keys keys_;
  Random random_;
  ZipfRanks ranks_;
  std::vector<bool> seen_;
  std::uint64_t asked_ = 0;
};

}  // namespace telescope::lab
