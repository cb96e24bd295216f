// What `bench guard` measures: a guard against RocksDB with its own Bloom filter, and against a guard that does not
// adapt. One function per part.
#pragma once

#include <contestants.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <temporary_directory.hpp>

#include "bench/parts.hpp"
#include "io/errors.hpp"
#include "verbs.hpp"

namespace telescope::lab {

using contest::TemporaryDirectory;

// Returns the value; throws LabError if there is none.
template <class T>
T value_of(Result<T, Failure> outcome) {
  if (!outcome) throw LabError(outcome.error().what);
  return std::move(*outcome);
}
inline void expect(const Outcome<void>& outcome) {
  if (!outcome) throw LabError(outcome.error().what);
}

std::unique_ptr<contest::Contestant> enter(contest::Kind kind, const TemporaryDirectory& directory,
                                           const contest::Terms& terms);

Rows measure_adversary(const GuardOptions& bench, Progress& progress);
Rows measure_skewed(const GuardOptions& bench, Progress& progress);
Rows measure_clock(const GuardOptions& bench, Progress& progress);
Rows measure_add(const GuardOptions& bench, Progress& progress);

}  // namespace telescope::lab
