// One false-positive experiment: fill a filter, run a workload over it, adapt on each false positive.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "../errors.hpp"
#include "../make_filter.hpp"
#include "../member_index.hpp"

namespace telescope::lab {

struct FprCounts {
  std::uint64_t queries = 0;
  std::uint64_t positives = 0;
  std::uint64_t repeats = 0;
  std::uint64_t repeat_positives = 0;
  AdaptReport adapts;
  double bits_per_slot = 0;
};

// Every query of the workload is a negative, so every positive is false.
template <class Filter, class Workload>
FprCounts measure_fpr(const FilterOptions& options, std::uint64_t seed, std::span<const std::uint64_t> members,
                      const MemberIndex& index, const Workload& workload) {
  Filter filter = make_filter<Filter>(options, seed);
  for (const std::uint64_t key : members) {
    if (const auto done = filter.insert(key); !done) throw LabError(std::string(message(done.error())));
  }
  FprCounts counts;
  counts.bits_per_slot = filter.bits_per_slot();
  workload.for_each_query([&](std::uint64_t key, bool repeat) {
    ++counts.queries;
    counts.repeats += repeat;
    if (!filter.contains(key)) return;
    ++counts.positives;
    counts.repeat_positives += repeat;
    if constexpr (Filter::kAdapts) {
      const auto report = filter.adapt(key, index);
      if (!report) throw LabError(std::string(message(report.error())));
      counts.adapts += *report;
    }
  });
  return counts;
}

}  // namespace telescope::lab
