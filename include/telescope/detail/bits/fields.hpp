// Fields of R bits in one word, looked at together.
#pragma once

#include "telescope/detail/bits/word.hpp"

namespace telescope {
inline namespace v1 {
namespace detail::bits {

template <unsigned R>
struct Fields {
  static constexpr unsigned kCount = 64 / R;
  static constexpr std::uint64_t kEach = [] {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < kCount; ++i) word |= std::uint64_t{1} << (i * R);
    return word;
  }();
  static constexpr std::uint64_t kTop = kEach << (R - 1);

  // True iff some field of the word is zero. (Borrows can only start at a zero field, so the answer is exact.)
  static TELESCOPE_ALWAYS_INLINE constexpr bool has_zero(std::uint64_t word) noexcept {
    return ((word - kEach) & ~word & kTop) != 0;
  }
  // The lowest bit of each field that is zero. No carry crosses from one field to the next.
  static TELESCOPE_ALWAYS_INLINE constexpr std::uint64_t zeros(std::uint64_t word) noexcept {
    constexpr std::uint64_t kRest = kTop - kEach;  // all but the top bit of each field
    return (~(((word & kRest) + kRest) | word) & kTop) >> (R - 1);
  }
  static TELESCOPE_ALWAYS_INLINE constexpr std::uint64_t broadcast(std::uint64_t field) noexcept {
    return field * kEach;
  }
};

}  // namespace detail::bits
}  // namespace v1
}  // namespace telescope
