// FilterOptions: size, overflow policy and memory of a filter.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory_resource>

namespace telescope::inline v1 {

// What happens when the letters of a block do not fit its code any more (the paper: "Storing hash selectors in
// blocks").
enum class Overflow {
  evict,  // the letter that adapts takes its smallest useful value; then the largest letters become zero until all fit
  reset,  // all letters of the block become zero, and then the slot adapts: the paper's rebuild
};

struct FilterOptions {
  static constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << 40;

  std::uint64_t slots = 1 << 16;  // the number of members that fit: a multiple of 64, up to kMaxSlots
  Overflow overflow = Overflow::evict;

  // The allocator of every byte, temporary ones included; null stands for aligned operator new. It must outlive the
  // filter. An exception that it throws becomes the error no_memory.
  std::pmr::memory_resource* memory = nullptr;
  // Whether arrays of 4 MB and more are aligned to huge pages, and the operating system is asked to use these.
  bool huge_pages = true;

  // Returns options with as many slots as `members` members need for a load of at most `load`, in (0, 1].
  static FilterOptions for_members(std::uint64_t members, double load = 0.95) noexcept {
    const double slots = std::ceil(static_cast<double>(members) / load / 64);
    FilterOptions options;
    options.slots = 64 * (slots < 1 ? 1 : static_cast<std::uint64_t>(slots));
    return options;
  }
};

}  // namespace telescope::inline v1
