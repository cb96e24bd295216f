// Compares the remainders of a run with what a query would have stored there, many slots at once.
#pragma once

#include <array>
#include <type_traits>

#include "telescope/detail/bits/fields.hpp"
#include "telescope/detail/bits/lane.hpp"

namespace telescope::inline v1::detail::bits {

// Returns how many bytes of the word equal `byte`.
TELESCOPE_ALWAYS_INLINE std::uint32_t count_bytes_portable(std::uint64_t word, std::uint64_t byte) noexcept {
  const std::uint64_t same = Fields<8>{}.zeros(word ^ Fields<8>{}.broadcast(byte));
  return static_cast<std::uint32_t>(same * Fields<8>{}.each() >> 56);
}
TELESCOPE_ALWAYS_INLINE std::uint32_t count_bytes(std::uint64_t word, std::uint64_t byte) noexcept {
#if defined(__SSE2__)
  const __m128i each = _mm_cvtsi64_si128(static_cast<long long>(Fields<8>{}.broadcast(byte)));
  const __m128i same = _mm_cmpeq_epi8(_mm_cvtsi64_si128(static_cast<long long>(word)), each);
  // A byte that is the same adds 255 to the sum, that is -1 to its lowest byte.
  return static_cast<std::uint8_t>(-_mm_cvtsi128_si32(_mm_sad_epu8(same, _mm_setzero_si128())));
#else
  return count_bytes_portable(word, byte);
#endif
}

#if defined(TELESCOPE_HAS_NEON)
// Returns byte i of `low` as bit i, byte i of `high` as bit 16 + i. The bytes are 0 or 255.
TELESCOPE_ALWAYS_INLINE std::uint32_t bit_per_byte(uint8x16_t low, uint8x16_t high) noexcept {
  const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  uint8x16_t sums = vpaddq_u8(vandq_u8(low, bit), vandq_u8(high, bit));  // of different bits: a sum is a union
  sums = vpaddq_u8(sums, sums);
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
}
#endif

// The number of slots that a single comparison covers; longer runs take the slow path.
inline constexpr unsigned kEqualSlots = 16;
inline constexpr unsigned kCandidateSlots = 4;

// Returns a mask: bit i is set if byte i at p equals `byte`. Reads kEqualSlots bytes.
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_bytes_portable(const std::byte* p, std::uint8_t byte) noexcept {
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < kEqualSlots; ++i) mask |= std::uint32_t{p[i] == std::byte{byte}} << i;
  return mask;
}
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_bytes(const std::byte* p, std::uint8_t byte) noexcept {
#if defined(__SSE2__)
  const __m128i slots = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i same = _mm_cmpeq_epi8(slots, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(same));
#elif defined(TELESCOPE_HAS_NEON)
  const uint8x16_t same = vceqq_u8(vld1q_u8(reinterpret_cast<const std::uint8_t*>(p)), vdupq_n_u8(byte));
  return static_cast<std::uint16_t>(bit_per_byte(same, same));
#else
  return equal_bytes_portable(p, byte);
#endif
}

// Returns a mask: bit 4 k + i is set if byte i at p equals byte k of `candidates`, i < kCandidateSlots, k <
// kCandidates. There are four candidates, or eight. Reads kCandidateSlots bytes.
template <unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates_portable(const std::byte* p, std::uint64_t candidates) noexcept {
  static_assert(kCandidateSlots == 4);
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < kCandidateSlots; ++i) {
    mask |= Fields<8>{}.zeros(candidates ^ Fields<8>{}.broadcast(static_cast<std::uint64_t>(p[i]))) << i;
  }
  mask = (mask | mask >> 4) & 0x00ff00ff00ff00ff;
  mask = (mask | mask >> 8) & 0x0000ffff0000ffff;
  return static_cast<std::uint32_t>((mask | mask >> 16) & ones(kCandidateSlots * kCandidates));
}
// The bits of slot 0 in that mask; times a mask of slots, the bits of all of them.
inline constexpr std::uint32_t kSlotHits = 0x11111111;

#if defined(__SSE2__)
template <unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates_baseline(const std::byte* p, std::uint64_t candidates) noexcept {
  static_assert(kCandidateSlots == 4);
  int four;
  std::memcpy(&four, p, sizeof four);
  const __m128i slots = _mm_shuffle_epi32(_mm_cvtsi32_si128(four), 0);
  __m128i twice = _mm_cvtsi64_si128(static_cast<long long>(candidates));
  twice = _mm_unpacklo_epi8(twice, twice);
  const __m128i low = _mm_cmpeq_epi8(slots, _mm_unpacklo_epi16(twice, twice));
  const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(low));
  if constexpr (kCandidates == 4) return mask;
  const __m128i high = _mm_cmpeq_epi8(slots, _mm_unpackhi_epi16(twice, twice));
  return mask | static_cast<std::uint32_t>(_mm_movemask_epi8(high)) << 16;
}
#elif defined(TELESCOPE_HAS_NEON)
template <unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates_baseline(const std::byte* p, std::uint64_t candidates) noexcept {
  static_assert(kCandidateSlots == 4);
  std::uint32_t four;
  std::memcpy(&four, p, sizeof four);
  const uint8x16_t slots = vreinterpretq_u8_u32(vdupq_n_u32(four));
  const uint8x16_t each = vreinterpretq_u8_u64(vdupq_n_u64(candidates));
  const uint16x8_t twice = vreinterpretq_u16_u8(vzip1q_u8(each, each));
  const uint8x16_t low = vceqq_u8(slots, vreinterpretq_u8_u16(vzip1q_u16(twice, twice)));
  if constexpr (kCandidates == 4) return static_cast<std::uint16_t>(bit_per_byte(low, low));
  return bit_per_byte(low, vceqq_u8(slots, vreinterpretq_u8_u16(vzip2q_u16(twice, twice))));
}
#else
template <unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates_baseline(const std::byte* p, std::uint64_t candidates) noexcept {
  return equal_candidates_portable<kCandidates>(p, candidates);
}
#endif

#if defined(__x86_64__)
alignas(32) inline constexpr std::array<std::uint8_t, 32> kRepeat4Shuffle = {
    0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7};

// One instruction compares four slots with all the candidates; the others do not wait for the slots. Four candidates
// fill half a register, and then no vzeroupper is needed, which costs as much as four instructions.
template <unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates_v3(const std::byte* p, std::uint64_t candidates) noexcept {
  const auto& slots = *reinterpret_cast<const Bytes<kCandidateSlots>*>(p);
  std::uint32_t mask;
  if constexpr (kCandidates == 4) {
    __asm__ volatile(
        "vmovd %k2, %%xmm1\n\t"
        "vpshufb %3, %%xmm1, %%xmm1\n\t"
        "vpbroadcastd %1, %%xmm0\n\t"
        "vpcmpeqb %%xmm1, %%xmm0, %%xmm0\n\t"
        "vpmovmskb %%xmm0, %0"
        : "=r"(mask)
        : "m"(slots), "r"(candidates), "m"(kRepeat4Shuffle)
        : "xmm0", "xmm1");
  } else {
    __asm__ volatile(
        "vmovq %2, %%xmm1\n\t"
        "vpbroadcastq %%xmm1, %%ymm1\n\t"
        "vpshufb %3, %%ymm1, %%ymm1\n\t"
        "vpbroadcastd %1, %%ymm0\n\t"
        "vpcmpeqb %%ymm1, %%ymm0, %%ymm0\n\t"
        "vpmovmskb %%ymm0, %0\n\t"
        "vzeroupper"
        : "=r"(mask)
        : "m"(slots), "r"(candidates), "m"(kRepeat4Shuffle)
        : TELESCOPE_V3_CLOBBERS);
  }
  return mask;
}
#endif

template <class Isa, unsigned kCandidates>
TELESCOPE_ALWAYS_INLINE std::uint32_t equal_candidates(const std::byte* p, std::uint64_t candidates) noexcept {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Isa, V3>) return equal_candidates_v3<kCandidates>(p, candidates);
#endif
  return equal_candidates_baseline<kCandidates>(p, candidates);
}

}  // namespace telescope::inline v1::detail::bits
