// What a filter is made of.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory_resource>

namespace telescope {
inline namespace v1 {

// What to do when a block's letters do not fit its code (section "Storing hash selectors in blocks").
enum class Overflow {
  evict,  // wrap one's own letter first, then set the largest letters to zero until the code fits
  reset,  // the paper's rebuild: set every letter of the block to zero, then adapt
};

struct FilterOptions {
  static constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 40;

  std::uint64_t slots = 1 << 16;        // any multiple of 64, up to kMaxSlots
  Overflow overflow = Overflow::evict;  // what to do when a block's letters do not fit its code

  // Where every byte comes from, also those that an operation holds for a while. Null: aligned operator new. It must
  // outlive the filter; what it throws becomes no_memory.
  std::pmr::memory_resource* memory = nullptr;
  // Large arrays (4 MB and more) are aligned to huge pages, and the system is asked to back them with such.
  bool huge_pages = true;

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
