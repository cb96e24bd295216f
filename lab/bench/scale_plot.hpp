// The scaling run as a picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/score.hpp"

namespace telescope::lab {

struct SizedScores {
  std::uint64_t slots;
  Scores scores;
};

// SVG: nanoseconds per negative query over slots, single and batch, with the memory's reads and the caches' sizes.
std::string draw_scale(const std::vector<SizedScores>& sizes, double load);

}  // namespace telescope::lab
