// Eight words at once, for x86-64-v4 (AVX-512 F, BW, CD, DQ and VL).
//
// A function that uses these is marked TELESCOPE_V4 and called only if has_v4(): the build needs no flags. Under g++
// lambdas do not inherit the target. The assembly of V3 may not be used in such a function, which does not expect its
// vzeroupper; what needs it is called out of line.
#pragma once

#include "telescope/detail/bits/word.hpp"

#if defined(TELESCOPE_HAS_V4)
#include <immintrin.h>

#define TELESCOPE_V4 __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi2,popcnt")))
#define TELESCOPE_V4_INLINE TELESCOPE_V4 inline __attribute__((always_inline))

namespace telescope::inline v1::detail::bits::v4 {

using Eight = __m512i;   // words
using Lanes = __mmask8;  // which of them

inline constexpr Lanes kAll = 0xff;

TELESCOPE_V4_INLINE Eight each(std::uint64_t word) noexcept { return _mm512_set1_epi64(static_cast<long long>(word)); }
TELESCOPE_V4_INLINE Eight each_byte(unsigned byte) noexcept { return _mm512_set1_epi8(static_cast<char>(byte)); }
TELESCOPE_V4_INLINE Eight load(const std::uint64_t* p) noexcept { return _mm512_load_si512(p); }
TELESCOPE_V4_INLINE void store(std::uint64_t* p, Eight words) noexcept { _mm512_store_si512(p, words); }

// Returns the lanes of a that are not in b.
constexpr Lanes without(Lanes a, Lanes b) noexcept { return static_cast<Lanes>(a & ~b); }

TELESCOPE_V4_INLINE Eight load_anywhere(const std::uint64_t* p) noexcept { return _mm512_loadu_si512(p); }
TELESCOPE_V4_INLINE void store_anywhere(std::uint64_t* p, Eight words) noexcept { _mm512_storeu_si512(p, words); }

TELESCOPE_V4_INLINE std::size_t count(Lanes lanes) noexcept { return static_cast<std::size_t>(_mm_popcnt_u32(lanes)); }

// Loads the words at base + at[i], one by one: a gather is slower on many machines.
TELESCOPE_V4_INLINE __m128d load_two(const std::byte* base, const std::uint64_t* at) noexcept {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i_u*>(base + at[0]));
  return _mm_loadh_pd(_mm_castsi128_pd(low), reinterpret_cast<const double*>(base + at[1]));
}
TELESCOPE_V4_INLINE Eight load_each(const std::byte* base, const std::uint64_t* at) noexcept {
  const __m256d low = _mm256_set_m128d(load_two(base, at + 2), load_two(base, at));
  const __m256d high = _mm256_set_m128d(load_two(base, at + 6), load_two(base, at + 4));
  return _mm512_castpd_si512(_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1));
}

// Returns bits [n, 64) of each word; none if n > 63.
TELESCOPE_V4_INLINE Eight ones_from(Eight n) noexcept { return _mm512_sllv_epi64(each(~std::uint64_t{0}), n); }

TELESCOPE_V4_INLINE Eight popcount(Eight words) noexcept {
  const Eight table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const Eight nibble = each_byte(0x0f);
  const Eight low = _mm512_shuffle_epi8(table, _mm512_and_si512(words, nibble));
  const Eight high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi64(words, 4), nibble));
  return _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
}

inline constexpr unsigned kSpreads = 3;
inline constexpr auto kSpread = [] {
  std::array<std::array<std::uint8_t, 64>, kSpreads> tables{};
  for (unsigned pair = 0; pair < kSpreads; ++pair) {
    for (unsigned i = 0; i < 64; ++i) tables[pair][i] = static_cast<std::uint8_t>((i & 8) + 2 * pair + (i >> 2 & 1));
  }
  return tables;
}();

// Bytes 2 pair and 2 pair + 1 of each word, the first in all bytes of its lower half, the second in the upper half.
TELESCOPE_V4_INLINE Eight spread_two(Eight words, unsigned pair) noexcept {
  return _mm512_shuffle_epi8(words, _mm512_loadu_si512(kSpread[pair].data()));
}
// The lowest byte of each word, in all its bytes.
TELESCOPE_V4_INLINE Eight spread_lowest(Eight words) noexcept {
  return _mm512_shuffle_epi8(words, _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0));
}
// The lower half of each word, in both; and the halves changed over.
TELESCOPE_V4_INLINE Eight twice_lower(Eight words) noexcept { return _mm512_shuffle_epi32(words, _MM_PERM_CCAA); }
TELESCOPE_V4_INLINE Eight swap_halves(Eight words) noexcept { return _mm512_shuffle_epi32(words, _MM_PERM_CDAB); }

// Returns the words with a byte that is zero (exactly those: see Fields::has_zero).
TELESCOPE_V4_INLINE Lanes has_zero_byte(Eight words) noexcept {
  const Eight borrows = _mm512_andnot_si512(words, _mm512_sub_epi64(words, each_byte(1)));
  return _mm512_test_epi64_mask(borrows, each_byte(0x80));
}

struct EightProducts {
  Eight high, low;
};
// Returns all 128 bits, from four products of halves (vpmuludq reads the lower ones).
TELESCOPE_V4_INLINE EightProducts multiply(Eight a, std::uint64_t b) noexcept {
  const Eight a_high = _mm512_srli_epi64(a, 32);
  const Eight b_low = each(b), b_high = each(b >> 32);
  const Eight low = _mm512_mul_epu32(a, b_low);
  const Eight middle = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_srli_epi64(low, 32));
  const Eight carry = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_low), _mm512_and_si512(middle, each(0xffffffff)));
  const Eight high = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64(middle, 32));
  return {.high = _mm512_add_epi64(high, _mm512_srli_epi64(carry, 32)),
          .low = _mm512_mask_mov_epi32(low, 0xaaaa, _mm512_slli_epi64(carry, 32))};
}

}  // namespace telescope::inline v1::detail::bits::v4

#endif
