// What processor and kernel counted during a timed loop, through perf_event_open.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace telescope::lab {

inline constexpr std::array kCounterNames = {"cycles",      "instructions",  "branch_misses",
                                             "l1d_misses",  "llc_misses",    "dtlb_misses",
                                             "page_faults", "task_clock_ns", "context_switches"};

// The processor has few counters for many events and lends them in turn, so a count comes with the time for which it
// was wanted and the time for which it ran.
struct Count {
  std::uint64_t value = 0;
  std::uint64_t wanted_ns = 0;
  std::uint64_t ran_ns = 0;

  // Scaled up to the whole time; NaN if it never ran.
  double total() const noexcept {
    if (ran_ns == 0) return std::nan("");
    return static_cast<double>(value) * static_cast<double>(wanted_ns) / static_cast<double>(ran_ns);
  }
};

struct Counts {
  std::array<Count, kCounterNames.size()> by_event;

  Counts& operator+=(const Counts& other) noexcept;
  Counts& operator-=(const Counts& other) noexcept;
};

// The counters of the thread that made them.
class Counters {
 public:
  // With `wanted`, opens what the machine has and names on stderr what it has not; without, counts nothing.
  explicit Counters(bool wanted);
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  // Since the counters were made.
  Counts read() const noexcept;

 private:
  std::array<int, kCounterNames.size()> files_;  // -1 where there is none
};

}  // namespace telescope::lab
