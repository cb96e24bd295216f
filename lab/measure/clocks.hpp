// Clocks, and what keeps the compiler from taking the timed work away.
#pragma once

#include <chrono>
#include <ctime>

namespace telescope::lab {

// Measures the processor time of the calling thread: what the timed loop took, and nothing of other programs.
class Stopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = now();
};

// Measures time on the wall, for what waits for disks and other threads.
class WallClock {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Makes the compiler believe that somebody reads `value`.
template <class T>
inline void consume(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace telescope::lab
