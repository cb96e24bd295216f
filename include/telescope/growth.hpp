// When a filter grows, and by how much.
#pragma once

#include <cmath>
#include <cstdint>

namespace telescope {
inline namespace v1 {

struct GrowthPolicy {
  double at_load = 0.9;  // an insert that would pass this load starts to grow; with 1, one insert does it all
  double factor = 2;     // to so many times the slots; more than 1
  std::uint64_t step_slots = 4096;  // the slots whose members one step moves, about

  bool valid() const noexcept { return at_load > 0 && at_load <= 1 && factor > 1 && std::isfinite(factor); }

  // The next size. Steps end where a quotient begins in both sizes, so these should have a large divisor in common: the
  // larger is rounded up to a small fraction of the smaller, where that has one.
  std::uint64_t grown(std::uint64_t slots) const noexcept {
    std::uint64_t unit = 64;
    for (std::uint64_t parts = 64; parts <= step_slots; ++parts) {
      if (slots / 64 % parts != 0) continue;
      unit = slots / parts;
      break;
    }
    const double units = std::ceil(static_cast<double>(slots) * factor / static_cast<double>(unit));
    const std::uint64_t larger = unit * static_cast<std::uint64_t>(units < 0x1p40 ? units : 0x1p40);
    return larger > slots ? larger : slots + unit;
  }
};

namespace detail {

// How many steps of a resize an insert owes: all are done when half of the old frame's room is used, even if every
// insert goes there.
class GrowthPace {
 public:
  void start(std::uint64_t steps, std::uint64_t room) noexcept {
    owed_ = 0;
    per_insert_ = 2 * static_cast<double>(steps) / static_cast<double>(room < 1 ? 1 : room);
  }
  void stop() noexcept { per_insert_ = owed_ = 0; }

  void insert(std::uint64_t count = 1) noexcept { owed_ += per_insert_ * static_cast<double>(count); }
  bool owes() const noexcept { return owed_ >= 1; }
  void step() noexcept { owed_ -= 1; }

 private:
  double per_insert_ = 0;
  double owed_ = 0;
};

}  // namespace detail

}  // namespace v1
}  // namespace telescope
