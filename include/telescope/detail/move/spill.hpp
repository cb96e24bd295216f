// How far the runs at the end of a ring come round to its first slots.
#pragma once

#include <algorithm>
#include <cstdint>

#include "telescope/detail/bits/arithmetic.hpp"

namespace telescope::inline v1::detail {

// Counts the slots that the last runs take behind the end, when it is told all positions in order. To leave these slots
// free at the front pushes no further run past the end: that would take more members than slots.
class Spill {
 public:
  explicit Spill(std::uint64_t slots) noexcept : slots_(slots) {}
  void add(std::uint64_t position) noexcept { end_ = std::max(end_, bits::multiply_high(position, slots_)) + 1; }
  std::uint64_t slots() const noexcept { return end_ > slots_ ? end_ - slots_ : 0; }

 private:
  std::uint64_t slots_;
  std::uint64_t end_ = 0;  // one past the last run so far
};

}  // namespace telescope::inline v1::detail
