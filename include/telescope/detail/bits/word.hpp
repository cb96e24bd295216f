// Words of 64 bits: load, store, rank and select.
//
// Each set of primitives is a struct with the same names, so that a probe is written once as a template over it.
// Results never depend on the choice (tests/bits/bits_test.cpp compares them).
#pragma once

#include "telescope/detail/bits/arithmetic.hpp"
#include "telescope/detail/bits/x86_64.hpp"
#include "telescope/flavour.hpp"

namespace telescope::inline v1::detail::bits {

#if defined(__x86_64__)
// The best primitives that this build knows, and whether this machine has them.
using Fast = V3;
TELESCOPE_ALWAYS_INLINE bool has_fast() noexcept { return kFlavour >= Flavour::v3; }

#define TELESCOPE_HAS_V4 1
TELESCOPE_ALWAYS_INLINE bool has_v4() noexcept { return kFlavour >= Flavour::v4; }
#else
using Fast = Portable;
constexpr bool has_fast() noexcept { return true; }
constexpr bool has_v4() noexcept { return false; }
#endif

TELESCOPE_NOINLINE inline unsigned popcount_portably(std::uint64_t w) noexcept { return Portable::popcount(w); }
TELESCOPE_NOINLINE inline std::uint64_t select_portably(std::uint64_t w, unsigned k) noexcept {
  return Portable::select_bit(w, k);
}

// Chooses on every call: for code that is not in the hottest loop. The portable code is out of line.
struct Native {
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_left(std::uint64_t w, unsigned n) noexcept {
    return Portable::shift_left(w, n);
  }
  static TELESCOPE_ALWAYS_INLINE unsigned popcount(std::uint64_t w) noexcept {
    return TELESCOPE_LIKELY(has_fast()) ? Fast::popcount(w) : popcount_portably(w);
  }
  static TELESCOPE_ALWAYS_INLINE unsigned countr_zero(std::uint64_t w) noexcept { return Portable::countr_zero(w); }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    return TELESCOPE_LIKELY(has_fast()) ? Fast::select_bit(w, k) : select_portably(w, k);
  }
};

// Return the index of the lowest / highest set bit of a word that is not zero.
TELESCOPE_ALWAYS_INLINE unsigned countr_zero(std::uint64_t w) noexcept {
  return static_cast<unsigned>(std::countr_zero(w));
}
TELESCOPE_ALWAYS_INLINE unsigned highest(std::uint64_t w) noexcept {
  return 63u ^ static_cast<unsigned>(__builtin_clzll(w));
}

}  // namespace telescope::inline v1::detail::bits
