// Filters of one experiment: same seed, same hash, so that they can share one member index.
#pragma once

#include <fmt/core.h>

#include <span>
#include <telescope/filter.hpp>
#include <utility>
#include <vector>

#include "io/errors.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {

inline Xxh3 experiment_hash(std::uint64_t seed) { return Xxh3{Secret{{mix64(seed), mix64(seed + 1)}}}; }

template <class Filter>
Filter make_filter(const FilterOptions& options, std::uint64_t seed) {
  auto made = Filter::create(options, experiment_hash(seed));
  if (!made) throw LabError(fmt::format("{} slots: {}", options.slots, message(made.error())));
  return std::move(*made);
}

inline std::vector<Hash> hashes_of(std::span<const std::uint64_t> keys, const Xxh3& hash) {
  std::vector<Hash> hashes;
  hashes.reserve(keys.size());
  for (const std::uint64_t key : keys) hashes.push_back(hash(key));
  return hashes;
}

}  // namespace telescope::lab
