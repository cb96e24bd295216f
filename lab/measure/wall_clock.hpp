// Time on the wall, for what waits for disks and other threads.
#pragma once

#include <chrono>

namespace telescope::lab {

class WallClock {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace telescope::lab
