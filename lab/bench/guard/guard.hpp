// What `bench guard` measures: a guard against RocksDB with its own Bloom filter, and against a guard that does not
// adapt. One function per part; each yields rows of the same fields (../life/life.hpp).
#pragma once

#include <contestants.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <temporary_directory.hpp>

#include "bench/life/life.hpp"
#include "io/errors.hpp"

namespace telescope::lab {

using contest::TemporaryDirectory;

struct GuardBench {
  std::uint64_t keys = 1'000'000;      // members, but for `add`
  std::uint64_t many = 10'000'000;     // members for that
  std::uint64_t replays = 1'000'000;   // queries of the adversary, after its warm-up
  std::uint64_t asked = 200'000;       // queries on the clock, of each stream
  unsigned unique_negatives = 10;      // per member
  unsigned queries_per_negative = 10;  // of the skewed stream
  std::uint64_t batch = 1024;          // records per write
  std::size_t value_bytes = 100;
  std::uint64_t seed = 1;
  std::filesystem::path directory;  // empty: the system's temporary directory
};

// Throws LabError.
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

Rows measure_adversary(const GuardBench& bench, Progress& progress);
Rows measure_skewed(const GuardBench& bench, Progress& progress);
Rows measure_clock(const GuardBench& bench, Progress& progress);
Rows measure_add(const GuardBench& bench, Progress& progress);

}  // namespace telescope::lab
