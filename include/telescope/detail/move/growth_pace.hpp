// GrowthPace: how fast a growing filter moves its members.
#pragma once

#include <cstdint>

namespace telescope::inline v1::detail {

// Counts how many steps of a resize the inserts owe, such that the resize has ended when half of the old frame's free
// slots are used, even if every insert goes there.
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

}  // namespace telescope::inline v1::detail
