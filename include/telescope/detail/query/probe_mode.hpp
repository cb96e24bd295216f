// How a probe reads: alone with the filter, counting what it decodes, or while writers may be at work.
#pragma once

#include <cstdint>

#include "telescope/detail/bits/word.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// Nobody writes meanwhile.
struct PlainProbe {
  static constexpr bool kCounts = false;
  using Answer = bool;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t read_once(std::uint64_t word) noexcept { return word; }
  TELESCOPE_ALWAYS_INLINE void decoded() noexcept {}
};

// The same, and counts how many codes are decoded.
struct CountingProbe : PlainProbe {
  static constexpr bool kCounts = true;
  unsigned decodes = 0;
  void decoded() noexcept { ++decodes; }
};

// Writers may be at work. Whatever bytes the probe meets, half-written ones too, it stays inside the array and ends
// soon, and says `undecided` where it would have to walk a run. Words that lead to an address are loaded once, and the
// compiler cannot load them again.
enum class Guess : std::uint8_t { no, yes, undecided };
struct OptimisticProbe {
  static constexpr bool kCounts = false;
  using Answer = Guess;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t read_once(std::uint64_t word) noexcept { return bits::opaque(word); }
  TELESCOPE_ALWAYS_INLINE void decoded() noexcept {}
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
