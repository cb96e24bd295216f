// Uniform repeats: A unique negatives, queried pass after pass. Nothing is queried more often than anything else, which
// separates adaptive filters better than a skewed workload does. One pass is fresh random queries: no repeats at all.
#pragma once

#include <cstdint>
#include <numeric>

#include "workloads/random.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

class UniformWorkload final : public Workload {
 public:
  struct Options {
    std::uint64_t members = 0;  // keys[0, members)
    std::uint64_t unique = 0;   // A: the keys behind
    unsigned passes = 20;
    bool shuffled = false;  // a new order in each pass
  };

  UniformWorkload(const Options& options, Keys keys, std::uint64_t seed)
      : options_(options), keys_(keys), random_(seed) {}

  std::optional<Query> next() override {
    if (left_ == 0) {
      if (pass_ == options_.passes || options_.unique == 0) return std::nullopt;
      start_pass();
    }
    const Query query{keys_[options_.members + at_], pass_ > 1};
    --left_;
    at_ += stride_;
    if (at_ >= options_.unique) at_ -= options_.unique;
    return query;
  }

 private:
  void start_pass() {
    ++pass_;
    left_ = options_.unique;
    stride_ = options_.shuffled ? coprime_stride() : 1;
    at_ = options_.shuffled ? random_.below(options_.unique) : 0;
  }

  // Steps of such a stride visit every negative once: an order that costs no table. The keys are mixed anyway.
  std::uint64_t coprime_stride() {
    for (;;) {
      const std::uint64_t stride = 1 + random_.below(options_.unique);
      if (std::gcd(stride, options_.unique) == 1) return stride;
    }
  }

  Options options_;
  Keys keys_;
  Random random_;
  unsigned pass_ = 0;
  std::uint64_t left_ = 0, at_ = 0, stride_ = 1;
};

}  // namespace telescope::lab
