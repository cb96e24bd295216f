// What a filter is made of.
#pragma once

#include <cmath>
#include <cstdint>

#include "telescope/reports.hpp"

namespace telescope {
inline namespace v1 {

struct FilterOptions {
  std::uint64_t slots = 1 << 16;        // any multiple of 64
  Overflow overflow = Overflow::evict;  // what to do when a block's letters do not fit its code

  // Room for `members` at a load of at most `load`.
  static FilterOptions for_members(std::uint64_t members, double load = 0.95) noexcept {
    const double slots = std::ceil(static_cast<double>(members) / load / 64);
    FilterOptions options;
    options.slots = 64 * (slots < 1 ? 1 : static_cast<std::uint64_t>(slots));
    return options;
  }
};

}  // namespace v1
}  // namespace telescope
