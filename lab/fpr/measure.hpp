// One false-positive experiment: fill a filter, run a workload over it, adapt on each false positive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fpr/scene.hpp"
#include "fpr/subject.hpp"
#include "io/errors.hpp"

namespace telescope::lab {

struct FprCounts {
  std::uint64_t queries = 0;
  std::uint64_t positives = 0;
  std::uint64_t repeats = 0;
  std::uint64_t repeat_positives = 0;
  OverflowReport overflow;
  std::uint64_t missing = 0;  // members that are not found afterwards
  double bits_per_slot = 0;
  std::optional<Workload::LastRound> last_round;
};

// Every query of a workload is a negative, so every positive is false. Throws LabError if the filter does not take all
// members.
inline FprCounts measure_fpr(Subject& subject, const Scene& scene) {
  for (const std::uint64_t key : scene.members) {
    if (!subject.insert(key)) throw LabError("it is full before all members are in: take a lower --load");
  }
  FprCounts counts;
  counts.bits_per_slot = static_cast<double>(subject.bits()) / static_cast<double>(scene.slots);
  const auto workload = scene.queries();
  while (const auto query = workload->next()) {
    const bool positive = subject.query(query->key);
    workload->answered(positive);
    ++counts.queries;
    counts.repeats += query->repeat;
    if (!positive) continue;
    ++counts.positives;
    counts.repeat_positives += query->repeat;
    subject.adapt(query->key);
  }
  counts.overflow = subject.overflow();
  counts.last_round = workload->last_round();
  for (const std::uint64_t key : scene.members) counts.missing += !subject.query(key);
  return counts;
}

}  // namespace telescope::lab
