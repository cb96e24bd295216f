// Compares, moves and stores among the 64 bytes of a lane of 8-bit fields, all at once.
#pragma once

#include <array>

#include "telescope/detail/bits/word.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__AARCH64EL__)
#include <arm_neon.h>
#define TELESCOPE_HAS_NEON 1
#endif

namespace telescope::inline v1::detail::bits {

#if defined(TELESCOPE_HAS_V4)
// Copies the bytes i of 64 that the mask names; all are read before any is written. It uses registers that need no
// vzeroupper.
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
// Sets byte i of the 64 at p, i < 64. No address of a store depends on i.
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

// Returns a mask: bit i is set if byte i of the 64 at p is zero.
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
#endif

// Moves bytes [from, to) of the 64 at `lane` to [from + 1, to + 1), to <= 63. The SIMD versions move all 64 under a
// mask: lengths are random, and a branch on them would be mispredicted every other time. They read the byte before the
// lane.
inline void shift_bytes_up_portable(std::byte* lane, unsigned from, unsigned to) noexcept {
  std::memmove(lane + from + 1, lane + from, to - from);
}
#if defined(__SSE2__)
TELESCOPE_ALWAYS_INLINE void shift_bytes_up_baseline(std::byte* lane, unsigned from, unsigned to) noexcept {
  const __m128i low = _mm_set1_epi8(static_cast<char>(from)), high = _mm_set1_epi8(static_cast<char>(to + 1));
  __m128i index = _mm_setr_epi8(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63);
  for (int chunk = 3; chunk >= 0; --chunk) {  // downwards: a chunk takes a byte from the one below
    auto* const at = reinterpret_cast<__m128i*>(lane + 16 * chunk);
    const __m128i moved = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane + 16 * chunk - 1));
    const __m128i inside = _mm_and_si128(_mm_cmpgt_epi8(index, low), _mm_cmpgt_epi8(high, index));
    const __m128i here = _mm_loadu_si128(at);
    _mm_storeu_si128(at, _mm_or_si128(_mm_and_si128(inside, moved), _mm_andnot_si128(inside, here)));
    index = _mm_sub_epi8(index, _mm_set1_epi8(16));
  }
}
#elif defined(TELESCOPE_HAS_NEON)
TELESCOPE_ALWAYS_INLINE void shift_bytes_up_baseline(std::byte* lane, unsigned from, unsigned to) noexcept {
  const uint8x16_t count = vdupq_n_u8(static_cast<std::uint8_t>(to - from));
  const uint8x16_t index = vcombine_u8(vcreate_u8(0x3736353433323130), vcreate_u8(0x3f3e3d3c3b3a3938));  // 48 .. 63
  uint8x16_t offset = vsubq_u8(index, vdupq_n_u8(static_cast<std::uint8_t>(from + 1)));                  // modulo 256
  for (int chunk = 3; chunk >= 0; --chunk) {  // downwards: a chunk takes a byte from the one below
    auto* const at = reinterpret_cast<std::uint8_t*>(lane + 16 * chunk);
    vst1q_u8(at, vbslq_u8(vcltq_u8(offset, count), vld1q_u8(at - 1), vld1q_u8(at)));
    offset = vsubq_u8(offset, vdupq_n_u8(16));
  }
}
#else
TELESCOPE_ALWAYS_INLINE void shift_bytes_up_baseline(std::byte* lane, unsigned from, unsigned to) noexcept {
  shift_bytes_up_portable(lane, from, to);
}
#endif
#if defined(__x86_64__)
// From byte 63 - n on, byte i is set if i > n.
alignas(64) inline constexpr auto kGreaterMask = [] {
  std::array<std::uint8_t, 128> past{};
  for (std::size_t i = 64; i < past.size(); ++i) past[i] = 0xff;
  return past;
}();

// Moves the upper half first, because the lower half takes nothing from it.
TELESCOPE_ALWAYS_INLINE void shift_bytes_up_v3(std::byte* lane, unsigned from, unsigned to) noexcept {
  __asm__ volatile(
      "vmovdqu 32(%1), %%ymm0\n\t"
      "vpandn 32(%2), %%ymm0, %%ymm0\n\t"
      "vmovdqu 32(%3), %%ymm1\n\t"
      "vpblendvb %%ymm0, 31(%3), %%ymm1, %%ymm1\n\t"
      "vmovdqu %%ymm1, 32(%3)\n\t"
      "vmovdqu (%1), %%ymm0\n\t"
      "vpandn (%2), %%ymm0, %%ymm0\n\t"
      "vmovdqu (%3), %%ymm1\n\t"
      "vpblendvb %%ymm0, -1(%3), %%ymm1, %%ymm1\n\t"
      "vmovdqu %%ymm1, (%3)\n\t"
      "vzeroupper"
      : "+m"(*reinterpret_cast<Bytes<64>*>(lane))
      : "r"(kGreaterMask.data() + 63 - to), "r"(kGreaterMask.data() + 63 - from), "r"(lane),
        "m"(*reinterpret_cast<const Bytes<1>*>(lane - 1)), "m"(kGreaterMask)
      : TELESCOPE_V3_CLOBBERS);
}
#endif
TELESCOPE_ALWAYS_INLINE void shift_bytes_up(std::byte* lane, unsigned from, unsigned to) noexcept {
#if defined(TELESCOPE_HAS_V4)
  if (has_v4()) return move_bytes_v4(lane - 1, lane, ones(from + 1, to + 1));
  if (TELESCOPE_LIKELY(has_fast())) return shift_bytes_up_v3(lane, from, to);
#endif
  shift_bytes_up_baseline(lane, from, to);
}

#if defined(__x86_64__)
// From byte 64 - n on, byte i is set if i == n.
alignas(64) inline constexpr auto kEqualMask = [] {
  std::array<std::uint8_t, 128> only{};
  only[64] = 0xff;
  return only;
}();

// The same as store_byte_v4: the other bytes are written as they were.
TELESCOPE_ALWAYS_INLINE void store_byte_v3(std::byte* p, unsigned i, std::uint64_t byte) noexcept {
  __asm__ volatile(
      "vmovq %1, %%xmm0\n\t"
      "vpbroadcastb %%xmm0, %%ymm0\n\t"
      "vmovdqu (%2), %%ymm1\n\t"
      "vmovdqu (%3), %%ymm2\n\t"
      "vpblendvb %%ymm1, %%ymm0, %%ymm2, %%ymm2\n\t"
      "vmovdqu %%ymm2, (%3)\n\t"
      "vmovdqu 32(%2), %%ymm1\n\t"
      "vmovdqu 32(%3), %%ymm2\n\t"
      "vpblendvb %%ymm1, %%ymm0, %%ymm2, %%ymm2\n\t"
      "vmovdqu %%ymm2, 32(%3)\n\t"
      "vzeroupper"
      : "+m"(*reinterpret_cast<Bytes<64>*>(p))
      : "r"(byte), "r"(kEqualMask.data() + 64 - i), "r"(p), "m"(kEqualMask)
      : TELESCOPE_V3_CLOBBERS);
}
#endif

// Returns a mask: bit i is set if byte i of the 64 at p is zero.
inline std::uint64_t zero_bytes_portable(const std::byte* p) noexcept {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; ++i) mask |= std::uint64_t{p[i] == std::byte{0}} << i;
  return mask;
}
TELESCOPE_ALWAYS_INLINE std::uint64_t zero_bytes_baseline(const std::byte* p) noexcept {
#if defined(__SSE2__)
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 64; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    mask |= std::uint64_t{static_cast<unsigned>(zeros)} << i;
  }
  return mask;
#elif defined(TELESCOPE_HAS_NEON)
  // Sums of different bits are unions: three times two neighbours make one byte.
  const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  const auto zeros = [&](unsigned i) {
    return vandq_u8(vceqzq_u8(vld1q_u8(reinterpret_cast<const std::uint8_t*>(p + i))), bit);
  };
  uint8x16_t sums = vpaddq_u8(vpaddq_u8(zeros(0), zeros(16)), vpaddq_u8(zeros(32), zeros(48)));
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
#else
  return zero_bytes_portable(p);
#endif
}
TELESCOPE_ALWAYS_INLINE std::uint64_t zero_bytes(const std::byte* p) noexcept {
#if defined(TELESCOPE_HAS_V4)
  if (has_v4()) return zero_bytes_v4(p);
#endif
  return zero_bytes_baseline(p);
}

}  // namespace telescope::inline v1::detail::bits
