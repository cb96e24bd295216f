// GrowthPolicy: when a filter grows, and by how much.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace telescope::inline v1 {

struct GrowthPolicy {
  // An insert that would pass this load starts to grow the filter. In (0, 1]; with 1, one insert moves all members.
  double at_load = 0.9;
  // The new frame has this many times the slots of the old one. Greater than 1.
  double factor = 2;
  // About how many slots' members one step moves. In [1, 2^20].
  std::uint64_t step_slots = 4096;

  // Returns whether every field is in its range.
  bool valid() const noexcept {
    return at_load > 0 && at_load <= 1 && factor > 1 && std::isfinite(factor) && step_slots >= 1 &&
           step_slots <= std::uint64_t{1} << 20;
  }

  // Returns the number of slots to grow to from `slots`. A step can end only where a quotient begins in both frames, so
  // the two sizes should have a large common divisor: the result is rounded up to a multiple of a small fraction of
  // `slots`, if there is one. O(step_slots).
  std::uint64_t grown(std::uint64_t slots) const noexcept {
    std::uint64_t unit = 64;
    for (std::uint64_t parts = 64; parts <= std::min(step_slots, slots / 64); ++parts) {
      if (slots / 64 % parts != 0) continue;
      unit = slots / parts;
      break;
    }
    const double units = std::ceil(static_cast<double>(slots) * factor / static_cast<double>(unit));
    const std::uint64_t larger = unit * static_cast<std::uint64_t>(units < 0x1p40 ? units : 0x1p40);
    return larger > slots ? larger : slots + unit;
  }
};

}  // namespace telescope::inline v1
