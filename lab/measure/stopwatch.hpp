#pragma once

#include <ctime>

namespace telescope::lab {

// Processor time of the calling thread: what the timed loop took, not what the machine's other work took from it.
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

// Makes the compiler believe that somebody reads `value`.
template <class T>
inline void consume(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace telescope::lab
