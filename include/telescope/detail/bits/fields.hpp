// Fields of R bits in one word, looked at together.
#pragma once

#include <array>

#include "telescope/detail/bits/width.hpp"
#include "telescope/detail/bits/word.hpp"

namespace telescope::inline v1::detail::bits {

// A one at the lowest bit of each field.
constexpr std::uint64_t one_in_each_field(unsigned width) noexcept {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 64 / width; ++i) word |= std::uint64_t{1} << (i * width);
  return word;
}
inline constexpr auto kOneInEachField = [] {
  std::array<std::uint64_t, kMaxWidth + 1> words{};
  for (unsigned width = 1; width < words.size(); ++width) words[width] = one_in_each_field(width);
  return words;
}();

template <unsigned R>
struct Fields : Width<R> {
  using Width<R>::Width;

  constexpr std::uint64_t each() const noexcept {
    if constexpr (R == kAnyWidth) return kOneInEachField[this->width()];
    return kEach;
  }

  // Returns whether some field of the word is zero. (Borrows can only start at a zero field, so the answer is exact.)
  TELESCOPE_ALWAYS_INLINE constexpr bool has_zero(std::uint64_t word) const noexcept {
    return ((word - each()) & ~word & top()) != 0;
  }
  // Returns the lowest bit of each field that is zero. No carry crosses from one field to the next.
  TELESCOPE_ALWAYS_INLINE constexpr std::uint64_t zeros(std::uint64_t word) const noexcept {
    const std::uint64_t rest = top() - each();  // all but the top bit of each field
    return (~(((word & rest) + rest) | word) & top()) >> (this->width() - 1);
  }
  TELESCOPE_ALWAYS_INLINE constexpr std::uint64_t broadcast(std::uint64_t field) const noexcept {
    return field * each();
  }

 private:
  static constexpr std::uint64_t kEach = R == kAnyWidth ? 0 : one_in_each_field(R == kAnyWidth ? 1 : R);
  constexpr std::uint64_t top() const noexcept { return each() << (this->width() - 1); }
};

}  // namespace telescope::inline v1::detail::bits
