// Four words at once, for x86-64-v3 (AVX2).
//
// As with v4.hpp, a function that uses these is marked TELESCOPE_V3 and called only if has_fast(), and the assembly of
// V3 may not be used there.
#pragma once

#include "telescope/detail/bits/word.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#define TELESCOPE_HAS_V3 1
#define TELESCOPE_V3 __attribute__((target("avx2")))
#define TELESCOPE_V3_INLINE TELESCOPE_V3 inline __attribute__((always_inline))

namespace telescope::inline v1::detail::bits::v3 {

using Four = __m256i;

TELESCOPE_V3_INLINE Four each(std::uint64_t word) noexcept { return _mm256_set1_epi64x(static_cast<long long>(word)); }
TELESCOPE_V3_INLINE Four load(const std::uint64_t* p) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const Four*>(p));
}
TELESCOPE_V3_INLINE void store(std::uint64_t* p, Four words) noexcept {
  _mm256_storeu_si256(reinterpret_cast<Four*>(p), words);
}

// Returns w ^ w >> n.
template <int n>
TELESCOPE_V3_INLINE Four fold(Four words) noexcept {
  return _mm256_xor_si256(words, _mm256_srli_epi64(words, n));
}

// Returns the lower 64 bits of the products, from three products of halves (vpmuludq reads the lower ones).
TELESCOPE_V3_INLINE Four multiply_low(Four a, std::uint64_t b) noexcept {
  const Four crossed =
      _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), each(b)), _mm256_mul_epu32(a, each(b >> 32)));
  return _mm256_add_epi64(_mm256_mul_epu32(a, each(b)), _mm256_slli_epi64(crossed, 32));
}

struct FourProducts {
  Four high, low;
};
// Returns all 128 bits.
TELESCOPE_V3_INLINE FourProducts multiply(Four a, std::uint64_t b) noexcept {
  const Four a_high = _mm256_srli_epi64(a, 32);
  const Four b_low = each(b), b_high = each(b >> 32);
  const Four low = _mm256_mul_epu32(a, b_low);
  const Four middle = _mm256_add_epi64(_mm256_mul_epu32(a, b_high), _mm256_srli_epi64(low, 32));
  const Four carry = _mm256_add_epi64(_mm256_mul_epu32(a_high, b_low), _mm256_blend_epi32(middle, each(0), 0xaa));
  const Four high = _mm256_add_epi64(_mm256_mul_epu32(a_high, b_high), _mm256_srli_epi64(middle, 32));
  return {.high = _mm256_add_epi64(high, _mm256_srli_epi64(carry, 32)),
          .low = _mm256_blend_epi32(low, _mm256_slli_epi64(carry, 32), 0xaa)};
}

// Returns bits [32, 96) of the product with a half word.
TELESCOPE_V3_INLINE Four multiply_middle(Four a, std::uint32_t b) noexcept {
  return _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), each(b)),
                          _mm256_srli_epi64(_mm256_mul_epu32(a, each(b)), 32));
}

}  // namespace telescope::inline v1::detail::bits::v3

#endif
