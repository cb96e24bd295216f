// Uniform repeats: A unique negatives, queried pass after pass. Nothing is queried more often than anything else, which
// separates adaptive filters better than a skewed workload does.
#pragma once

#include <cstdint>
#include <numeric>
#include <string_view>

#include "../random.hpp"

namespace telescope::lab {

// A workload models:
//   static constexpr std::string_view kName;
//   w.for_each_query(visit)   visit(key, repeat) for each query in order; `repeat` if the key was queried before.
//                             No key of it is among keys[0, members).
class UniformWorkload {
 public:
  static constexpr std::string_view kName = "uniform";

  struct Options {
    std::uint64_t members = 0;
    std::uint64_t unique = 0;  // A
    unsigned passes = 20;
    bool shuffled = false;  // a new order in each pass
  };

  UniformWorkload(const Options& options, Keys keys, std::uint64_t seed)
      : options_(options), keys_(keys), seed_(seed) {}

  template <class Visit>
  void for_each_query(Visit&& visit) const {
    Random random(seed_);
    for (unsigned pass = 0; pass < options_.passes; ++pass) {
      const std::uint64_t stride = options_.shuffled ? coprime_stride(random) : 1;
      std::uint64_t at = options_.shuffled ? random.below(options_.unique) : 0;
      for (std::uint64_t i = 0; i < options_.unique; ++i) {
        visit(keys_[options_.members + at], pass > 0);
        at += stride;
        if (at >= options_.unique) at -= options_.unique;
      }
    }
  }

 private:
  // Steps of such a stride visit every negative once: an order that costs no table. The keys are mixed anyway.
  std::uint64_t coprime_stride(Random& random) const {
    for (;;) {
      const std::uint64_t stride = 1 + random.below(options_.unique);
      if (std::gcd(stride, options_.unique) == 1) return stride;
    }
  }

  Options options_;
  Keys keys_;
  std::uint64_t seed_;
};

}  // namespace telescope::lab
