// A token bucket: it fills at a rate, holds a burst, and each adapt takes one token. Thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>

#include "telescope/detail/lock_order.hpp"

namespace telescope::inline v1::detail {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // A rate of zero means no limit.
  RateLimit(double per_second, double burst, Clock::time_point now = Clock::now()) noexcept
      : per_second_(per_second), burst_(std::max(burst, 1.0)), left_(burst_), filled_(now) {}

  // Takes a token, and returns whether there was one.
  bool allow(Clock::time_point now = Clock::now()) {
    if (per_second_ <= 0) return true;
    const std::lock_guard lock(mutex_);
    const double seconds = std::max(0.0, std::chrono::duration<double>(now - filled_).count());
    filled_ = std::max(filled_, now);
    left_ = std::min(burst_, left_ + seconds * per_second_);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double per_second_, burst_;
  RankedMutex<LockRank::rate_limit> mutex_;
  double left_;
  Clock::time_point filled_;
};

}  // namespace telescope::inline v1::detail
