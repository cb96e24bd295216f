// Words of 64 bits: load, store, rank and select. This room alone knows instruction sets.
//
// Each set of primitives is a struct with the same names, so that a probe is written once as a template over it.
// `V3` (x86-64-v3: BMI2, AVX2) uses inline assembly, not intrinsics: it can be inlined into functions that were
// compiled for the baseline, and the choice is made at run time, per operation. Results never depend on the choice
// (tests/bits/bits_test.cpp compares the two).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "telescope/flavour.hpp"

#if defined(__GNUC__)
#define TELESCOPE_ALWAYS_INLINE inline __attribute__((always_inline))
#define TELESCOPE_NOINLINE __attribute__((noinline))
#define TELESCOPE_LIKELY(x) __builtin_expect(!!(x), 1)
#define TELESCOPE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TELESCOPE_PREFETCH(p) __builtin_prefetch(p)
#define TELESCOPE_UNREACHABLE() __builtin_unreachable()
#else
#define TELESCOPE_ALWAYS_INLINE inline
#define TELESCOPE_NOINLINE
#define TELESCOPE_LIKELY(x) (x)
#define TELESCOPE_UNLIKELY(x) (x)
#define TELESCOPE_PREFETCH(p) ((void)(p))
#define TELESCOPE_UNREACHABLE() ((void)0)
#endif

namespace telescope {
inline namespace v1 {
namespace detail::bits {

__extension__ using Uint128 = unsigned __int128;

constexpr std::uint64_t byteswap(std::uint64_t w) noexcept {
  std::uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i, w >>= 8) swapped = swapped << 8 | (w & 0xff);
  return swapped;
}

// Little-endian on every machine, aligned or not.
TELESCOPE_ALWAYS_INLINE std::uint64_t load64(const std::byte* p) noexcept {
  std::uint64_t w;
  std::memcpy(&w, p, sizeof w);
  if constexpr (std::endian::native == std::endian::big) w = byteswap(w);
  return w;
}
TELESCOPE_ALWAYS_INLINE std::uint64_t load16(const std::byte* p) noexcept {
  std::uint16_t w;
  std::memcpy(&w, p, sizeof w);
  if constexpr (std::endian::native == std::endian::big) return byteswap(w) >> 48;
  return w;
}
TELESCOPE_ALWAYS_INLINE void store64(std::byte* p, std::uint64_t w) noexcept {
  if constexpr (std::endian::native == std::endian::big) w = byteswap(w);
  std::memcpy(p, &w, sizeof w);
}

// Bits [0, n), n <= 64.
constexpr std::uint64_t ones(unsigned n) noexcept { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }
// Bits [from, to), from <= to <= 64.
constexpr std::uint64_t ones(unsigned from, unsigned to) noexcept { return ones(to) & ~ones(from); }

// kSelectInByte[k * 256 + byte]: index of the k-th set bit of the byte, 0 where there is none.
inline constexpr auto kSelectInByte = [] {
  std::array<std::uint8_t, 8 * 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned k = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (byte >> i & 1) table[k++ * 256 + byte] = static_cast<std::uint8_t>(i);
    }
  }
  return table;
}();

// The stretch of a word that ends with its k-th set bit and starts behind the set bit below that, or at bit 0.
struct RunSpan {
  std::uint64_t first;  // 64 or less; a word, as it makes part of an address
  std::uint64_t ones;  // as many as it has bits; 63 or 64, the top one among them, if there is no k-th bit below bit 63
};

struct Portable {
  // The lowest n bits of w, n < 64; only the lowest byte of n counts. With any n it is defined, and some bits of w.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t low_bits(std::uint64_t w, std::uint64_t n) noexcept {
    return w & ((std::uint64_t{1} << (n & 63)) - 1);
  }
  // Shifts by n modulo 64.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_left(std::uint64_t w, unsigned n) noexcept {
    return w << (n & 63);
  }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_right(std::uint64_t w, unsigned n) noexcept {
    return w >> (n & 63);
  }
  template <unsigned kFactor>
  static TELESCOPE_ALWAYS_INLINE std::uint64_t times(std::uint64_t w) noexcept {
    return w * kFactor;
  }

  static TELESCOPE_ALWAYS_INLINE unsigned popcount(std::uint64_t w) noexcept {
    return static_cast<unsigned>(std::popcount(w));
  }
  // Index of the lowest set bit, 64 if there is none.
  static TELESCOPE_ALWAYS_INLINE unsigned lowest(std::uint64_t w) noexcept {
    return static_cast<unsigned>(std::countr_zero(w));
  }
  // Without a jump, where it matters.
  static TELESCOPE_ALWAYS_INLINE int max(int a, int b) noexcept { return a < b ? b : a; }
  template <unsigned kBit>
  static TELESCOPE_ALWAYS_INLINE const std::byte* if_bit(unsigned n, const std::byte* yes,
                                                         const std::byte* no) noexcept {
    return (n >> kBit & 1) != 0 ? yes : no;
  }
  // sum, plus bit n of w, n < 64.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t add_bit(std::uint64_t sum, std::uint64_t w, unsigned n) noexcept {
    return sum + (w >> n & 1);
  }
  // The k-th set bit of w (k from 0, modulo 64) alone, or 0 if w has fewer.
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    k &= 63;
    constexpr std::uint64_t kEach = 0x0101010101010101;
    std::uint64_t sums = w - (w >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * kEach;  // byte i: set bits in bytes 0 .. i
    const std::uint64_t reached = ((sums | kEach << 7) - kEach * (k + 1)) & kEach << 7;
    if (reached == 0) return 0;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(reached)) & 56;
    const unsigned before = static_cast<unsigned>((sums << 8) >> shift & 0xff);
    return std::uint64_t{1} << (shift + kSelectInByte[(k - before) * 256 + (w >> shift & 0xff)]);
  }
  static TELESCOPE_ALWAYS_INLINE RunSpan run_span(std::uint64_t w, unsigned k) noexcept {
    const std::uint64_t end = select_bit(w << 1, k);
    if (end == 0) return {.first = 64, .ones = ~std::uint64_t{0}};
    const unsigned first = static_cast<unsigned>(std::bit_width((w << 1 | 1) & (end - 1))) - 1;
    return {.first = first, .ones = (end >> first) - 1};
  }
};

#if defined(__x86_64__) && defined(__GNUC__)
// Memory that assembly reads or writes. A plain array of bytes, which may alias anything: behind a class, stores to
// what it covers would be thrown away as dead.
template <std::size_t n>
using Bytes = unsigned char[n];

// A count of bits may have anything above its 32 bits: these instructions look at its lowest byte alone.
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
  static TELESCOPE_ALWAYS_INLINE unsigned lowest(std::uint64_t w) noexcept {
    return static_cast<unsigned>(lowest_as_word(w));
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
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    std::uint64_t bit;
    __asm__ volatile("pdepq %2, %1, %0" : "=r"(bit) : "r"(shift_left(1, k)), "r"(w));
    return bit;
  }
  // Both ends at once, each one further up: so that bit 0 can stand for the end before the first.
  static TELESCOPE_ALWAYS_INLINE RunSpan run_span(std::uint64_t w, unsigned k) noexcept {
    std::uint64_t ends;
    __asm__ volatile("pdepq %2, %1, %0" : "=r"(ends) : "r"(shift_left(3, k)), "r"(2 * w + 1));
    const std::uint64_t first = lowest_as_word(ends);
    return {.first = first, .ones = shift_right(ends, static_cast<unsigned>(first)) - 2};
  }

 private:
  static TELESCOPE_ALWAYS_INLINE std::uint64_t lowest_as_word(std::uint64_t w) noexcept {
    std::uint64_t index;
    __asm__ volatile("tzcntq %1, %0" : "=r"(index) : "r"(w) : "cc");
    return index;
  }
};

// The best primitives that this build knows, and whether this machine has them.
using Fast = V3;
TELESCOPE_ALWAYS_INLINE bool has_fast() noexcept { return kFlavour >= Flavour::v3; }

#define TELESCOPE_HAS_V4 1
TELESCOPE_ALWAYS_INLINE bool has_v4() noexcept { return kFlavour >= Flavour::v4; }

// to[i] = from[i] for the 64 bytes i that the mask names, all read before any is written. The registers used are those
// that need no vzeroupper.
TELESCOPE_ALWAYS_INLINE void move_bytes_v4(const std::byte* from, std::byte* to, std::uint64_t mask) noexcept {
  __asm__ volatile(
      "kmovq %2, %%k1\n\t"
      "vmovdqu8 %1, %%zmm16\n\t"
      "vmovdqu8 %%zmm16, %0%{%%k1%}"
      : "+m"(*reinterpret_cast<Bytes<64>*>(to))
      : "m"(*reinterpret_cast<const Bytes<64>*>(from)), "r"(mask)
#if defined(__AVX512F__)
      : "xmm16", "k1"
#endif
  );
}
// Byte i of the 64 at p, i < 64. The address does not depend on i.
TELESCOPE_ALWAYS_INLINE void store_byte_v4(std::byte* p, unsigned i, std::uint64_t byte) noexcept {
  __asm__ volatile(
      "vpbroadcastb %k1, %%zmm16\n\t"
      "kmovq %2, %%k1\n\t"
      "vmovdqu8 %%zmm16, %0%{%%k1%}"
      : "+m"(*reinterpret_cast<Bytes<64>*>(p))
      : "r"(byte), "r"(V3::shift_left(1, i))
#if defined(__AVX512F__)
      : "xmm16", "k1"
#endif
  );
}

// Bit i: byte i of the 64 at p is zero.
TELESCOPE_ALWAYS_INLINE std::uint64_t zero_bytes_v4(const std::byte* p) noexcept {
  std::uint64_t zeros;
  __asm__ volatile(
      "vmovdqu8 %1, %%zmm16\n\t"
      "vptestnmb %%zmm16, %%zmm16, %%k1\n\t"
      "kmovq %%k1, %0"
      : "=r"(zeros)
      : "m"(*reinterpret_cast<const Bytes<64>*>(p))
#if defined(__AVX512F__)
      : "xmm16", "k1"
#endif
  );
  return zeros;
}
#else
using Fast = Portable;
constexpr bool has_fast() noexcept { return true; }
constexpr bool has_v4() noexcept { return false; }
#endif

TELESCOPE_NOINLINE inline unsigned popcount_portably(std::uint64_t w) noexcept { return Portable::popcount(w); }
TELESCOPE_NOINLINE inline std::uint64_t select_portably(std::uint64_t w, unsigned k) noexcept {
  return Portable::select_bit(w, k);
}

// Chooses on every call; for code that is not in the hottest loop. The portable way is out of line.
struct Native {
  static TELESCOPE_ALWAYS_INLINE std::uint64_t shift_left(std::uint64_t w, unsigned n) noexcept {
    return Portable::shift_left(w, n);
  }
  static TELESCOPE_ALWAYS_INLINE unsigned popcount(std::uint64_t w) noexcept {
    return TELESCOPE_LIKELY(has_fast()) ? Fast::popcount(w) : popcount_portably(w);
  }
  static TELESCOPE_ALWAYS_INLINE unsigned lowest(std::uint64_t w) noexcept { return Portable::lowest(w); }
  static TELESCOPE_ALWAYS_INLINE std::uint64_t select_bit(std::uint64_t w, unsigned k) noexcept {
    return TELESCOPE_LIKELY(has_fast()) ? Fast::select_bit(w, k) : select_portably(w, k);
  }
};

// Index of the lowest / highest set bit of a word that is not zero.
TELESCOPE_ALWAYS_INLINE unsigned lowest(std::uint64_t w) noexcept { return static_cast<unsigned>(std::countr_zero(w)); }
TELESCOPE_ALWAYS_INLINE unsigned highest(std::uint64_t w) noexcept {
#if defined(__GNUC__)
  return 63u ^ static_cast<unsigned>(__builtin_clzll(w));
#else
  return 63u - static_cast<unsigned>(std::countl_zero(w));
#endif
}

// A condition as a number that the compiler must compute: compilers like to turn `a & b` back into two jumps, and one
// of them is then a coin toss.
TELESCOPE_ALWAYS_INLINE std::uint64_t opaque(std::uint64_t condition) noexcept {
#if defined(__GNUC__)
  __asm__("" : "+r"(condition));
#endif
  return condition;
}
// An address that the compiler must compute here, rather than as part of one that is known later.
template <class T>
TELESCOPE_ALWAYS_INLINE const T* opaque(const T* address) noexcept {
#if defined(__GNUC__)
  __asm__("" : "+r"(address));
#endif
  return address;
}

// Keeps a jump a jump: on one side of it, the compiler cannot make a number of the condition.
TELESCOPE_ALWAYS_INLINE void keep_branch() noexcept {
#if defined(__GNUC__)
  __asm__ volatile("");
#endif
}

// High half of the product: the multiply-shift reduction of a 64-bit word to [0, n).
TELESCOPE_ALWAYS_INLINE std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>(static_cast<Uint128>(a) * b >> 64);
}

struct Product {
  std::uint64_t high, low;
};
TELESCOPE_ALWAYS_INLINE Product multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

// A strong mix of one word (the finaliser of SplitMix64): a bijection, so different words stay different.
constexpr std::uint64_t mix(std::uint64_t w) noexcept {
  w = (w ^ w >> 30) * 0xbf58476d1ce4e5b9;
  w = (w ^ w >> 27) * 0x94d049bb133111eb;
  return w ^ w >> 31;
}

}  // namespace detail::bits
}  // namespace v1
}  // namespace telescope
