// How a probe reads: alone with the filter, or while writers may be at work.
#pragma once

#include <cstdint>

#include "telescope/detail/bits/word.hpp"

namespace telescope::inline v1::detail {

// Nobody writes meanwhile.
struct PlainProbe {
  using Answer = bool;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t read_once(std::uint64_t word) noexcept { return word; }
};

// Writers may be at work. Whatever bytes the probe meets, half-written ones too, it stays inside the array and ends
// soon, and says `undecided` where it would have to walk a run. Words that lead to an address are loaded once, and the
// compiler cannot load them again.
enum class Guess : std::uint8_t { no, yes, undecided };
struct OptimisticProbe {
  using Answer = Guess;
  static TELESCOPE_ALWAYS_INLINE std::uint64_t read_once(std::uint64_t word) noexcept { return bits::opaque(word); }
};

}  // namespace telescope::inline v1::detail
