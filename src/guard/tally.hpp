// The counters of a guard, in stripes that are added up when somebody asks.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "stripe.hpp"
#include "telescope/guard_types.hpp"
#include "telescope/reports.hpp"

namespace telescope::inline v1::detail {

class Tally {
 public:
  enum Event : std::size_t {
    filter_negatives,
    filter_positives,  // all other queries: the store had to be asked
    true_positives,
    false_positives,
    repeated_false_positives,
    store_reads,
    scans,
    writes,
    adapts,
    adapts_withheld,
    adapts_too_long,
    overflows,
    evictions,
    store_errors,
    kEvents
  };

  void count(Event event, std::uint64_t times = 1) noexcept {
    lines_[stripe_of_thread()].counts[event].fetch_add(times, std::memory_order_relaxed);
  }
  void count(const OverflowReport& report) noexcept {
    if (report.overflows == 0) return;
    count(overflows, report.overflows);
    count(evictions, report.evicted);
  }
  std::uint64_t sum(Event event) const noexcept {
    std::uint64_t total = 0;
    for (const Line& line : lines_) total += line.counts[event].load(std::memory_order_relaxed);
    return total;
  }

 private:
  struct alignas(64) Line {
    std::array<std::atomic<std::uint64_t>, kEvents> counts{};
  };
  std::array<Line, kStripes> lines_;
};

}  // namespace telescope::inline v1::detail
