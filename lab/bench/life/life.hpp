// What `bench life` measures, one function per part of a filter's life.
#pragma once

#include "bench/parts.hpp"
#include "verbs.hpp"

namespace telescope::lab {

Rows measure_load(const LifeOptions& options, Progress& progress);
Rows measure_growth(const LifeOptions& options, Progress& progress);
Rows measure_snapshots(const LifeOptions& options, Progress& progress);
Rows measure_threads(const LifeOptions& options, Progress& progress);

}  // namespace telescope::lab
