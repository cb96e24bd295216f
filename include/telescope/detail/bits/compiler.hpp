// What the language lacks: attributes, and barriers that an optimiser does not see through. For GCC and Clang.
#pragma once

#include <cstdint>

#if !defined(__GNUC__)
#error "telescope needs GCC or Clang"
#endif

#define TELESCOPE_ALWAYS_INLINE inline __attribute__((always_inline))
#define TELESCOPE_NOINLINE __attribute__((noinline))
#define TELESCOPE_FLATTEN __attribute__((flatten))  // what the function calls is inlined
#define TELESCOPE_LIKELY(x) __builtin_expect(!!(x), 1)
#define TELESCOPE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TELESCOPE_PREFETCH(p) __builtin_prefetch(p)

namespace telescope::inline v1::detail::bits {

// Returns a condition as a number that the compiler must compute: compilers turn `a & b` back into two branches, and
// one of them is then mispredicted half of the time.
TELESCOPE_ALWAYS_INLINE std::uint64_t opaque(std::uint64_t condition) noexcept {
  __asm__("" : "+r"(condition));
  return condition;
}
// Returns an address that the compiler must compute here, rather than as part of one that is known later.
template <class T>
TELESCOPE_ALWAYS_INLINE const T* opaque(const T* address) noexcept {
  __asm__("" : "+r"(address));
  return address;
}

// Keeps a branch a branch: with this on one side of it, the compiler cannot make a number of the condition.
TELESCOPE_ALWAYS_INLINE void keep_branch() noexcept { __asm__ volatile(""); }

}  // namespace telescope::inline v1::detail::bits
