// The width of a field in bits: known to the compiler, or a number that is known when the program runs.
#pragma once

#include <cassert>

namespace telescope::inline v1::detail::bits {

inline constexpr unsigned kMinWidth = 4, kMaxWidth = 32;  // of a remainder
inline constexpr unsigned kAnyWidth = 0;                  // stands for a width that is a number

// Classes that work on fields of R bits inherit from this one. It takes no room where the compiler knows the width.
template <unsigned R>
class Width {
 public:
  constexpr Width() noexcept = default;
  explicit constexpr Width([[maybe_unused]] unsigned width) noexcept { assert(width == R); }
  static constexpr unsigned width() noexcept { return R; }
};
template <>
class Width<kAnyWidth> {
 public:
  constexpr Width() noexcept = default;
  explicit constexpr Width(unsigned width) noexcept : width_(width) {}
  constexpr unsigned width() const noexcept { return width_; }

 private:
  unsigned width_ = kMaxWidth;
};

}  // namespace telescope::inline v1::detail::bits
