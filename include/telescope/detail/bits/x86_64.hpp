// The primitives of Portable by the instructions of x86-64-v3 (BMI1, BMI2).
//
// They are inline assembly, not intrinsics: so they can be inlined into functions that are compiled for the baseline,
// and the choice is made at run time, per operation.
#pragma once

#include "telescope/detail/bits/portable.hpp"

#if defined(__x86_64__)
namespace telescope::inline v1::detail::bits {

// The type of memory that assembly reads or writes. A plain array of bytes may alias anything; behind a class, stores
// to what it covers would be removed as dead.
template <std::size_t n>
using Bytes = unsigned char[n];

// A count of bits may have anything above its 32 bits: these instructions look at its lowest byte alone.
//
// The assembly is volatile although it has no side effects. Otherwise a compiler could move it above the branch on
// has_fast() that guards it, and a processor without the instruction would stop there.
struct V3 {
  static TELESCOPE_ALWAYS_INLINE std::uint64_t low_bits(std::uint64_t w, std::uint64_t n) noexcept {
    std::uint64_t low;
    __asm__ volatile("bzhiq %2, %1, %0" : "=r"(low) : "rm"(w), "r"(n) : "cc");
    return low;
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_left(std::uint64_t w, unsigned n) noexcept {
    std::uint64_t shifted;
    __asm__ volatile("shlxq %q2, %1, %0" : "=r"(shifted) : "rm"(w), "r"(n));
    return shifted;
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_right(std::uint64_t w, unsigned n) noexcept {
    std::uint64_t shifted;
    __asm__ volatile("shrxq %q2, %1, %0" : "=r"(shifted) : "rm"(w), "r"(n));
    return shifted;
  }
  static TELESCOPE_ALWAYS_INLINE unsigned popcount(std::uint64_t w) noexcept {
    std::uint64_t count;
    // Some processors make popcnt wait for its destination: tie it to the source.
    __asm__ volatile("popcntq %1, %0" : "=r"(count) : "0"(w) : "cc");
    return static_cast<unsigned>(count);
  }
  static TELESCOPE_ALWAYS_INLINE unsigned countr_zero(std::uint64_t w) noexcept {
    return static_cast<unsigned>(countr_zero_word(w));
  }
  // One instruction. A compiler takes four that together are no faster.
  template <unsigned kFactor>
  static TELESCOPE_ALWAYS_INLINE std::uint64_t times(std::uint64_t w) noexcept {
    std::uint64_t product;
    __asm__ volatile("imulq %2, %1, %0" : "=r"(product) : "r"(w), "i"(kFactor) : "cc");
    return product;
  }
  static TELESCOPE_ALWAYS_INLINE int max(int a, int b) noexcept {
    __asm__ volatile("cmpl %1, %0\n\tcmovll %1, %0" : "+r"(a) : "r"(b) : "cc");
    return a;
  }
  template <unsigned kBit>
  static TELESCOPE_ALWAYS_INLINE const std::byte* if_bit(unsigned n, const std::byte* yes,
                                                         const std::byte* no) noexcept {
    static_assert(kBit < 8);
    __asm__ volatile("testb %3, %b1\n\tcmovzq %2, %0" : "+r"(yes) : "r"(n), "r"(no), "i"(1 << kBit) : "cc");
    return yes;
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t add_bit(std::uint64_t sum, std::uint64_t w, unsigned n) noexcept {
    __asm__ volatile("btq %q2, %1\n\tadcq $0, %0" : "+r"(sum) : "r"(w), "r"(n) : "cc");
    return sum;
  }
  // Returns the lowest bits of w in the places that the mask names, in order.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t deposit(std::uint64_t w, std::uint64_t mask) noexcept {
    std::uint64_t deposited;
    __asm__ volatile("pdepq %2, %1, %0" : "=r"(deposited) : "r"(w), "rm"(mask));
    return deposited;
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    return deposit(shift_left(1, k), w);
  }
  // Both ends at once, each one further up: so that bit 0 can stand for the end before the first.
  static TELESCOPE_ALWAYS_INLINE RunSpan run_span(std::uint64_t w, unsigned k) noexcept {
    const std::uint64_t ends = deposit(shift_left(3, k), 2 * w + 1);
    const std::uint64_t first = countr_zero_word(ends);
    return {.first = first, .ones = shift_right(ends, static_cast<unsigned>(first)) - 2};
  }

 private:
  static TELESCOPE_ALWAYS_INLINE std::uint64_t countr_zero_word(std::uint64_t w) noexcept {
    std::uint64_t index;
    __asm__ volatile("tzcntq %1, %0" : "=r"(index) : "r"(w) : "cc");
    return index;
  }
};

// The registers that assembly in AVX2 writes, if it ends in vzeroupper: that touches all of them where the compiler
// uses AVX itself.
#if defined(__AVX__)
#define TELESCOPE_V3_CLOBBERS                                                                                         \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
      "xmm14", "xmm15"
#else
#define TELESCOPE_V3_CLOBBERS "xmm0", "xmm1", "xmm2"
#endif

}  // namespace telescope::inline v1::detail::bits
#endif
