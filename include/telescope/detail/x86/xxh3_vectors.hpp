// Xxh3 of four or eight 64-bit keys at a time.
#pragma once

#include "telescope/detail/hash/hashes.hpp"
#include "telescope/detail/x86/v3.hpp"
#include "telescope/detail/x86/v4.hpp"

namespace telescope::inline v1::detail {

#if defined(TELESCOPE_HAS_V3)
struct FourHashes {
  bits::v3::Four position, fingerprint;
};

// xxh3_word, in four lanes.
TELESCOPE_V3_INLINE FourHashes xxh3_four_words(bits::v3::Four keys, std::uint64_t flip) noexcept {
  using namespace bits::v3;
  const FourProducts product = multiply(_mm256_xor_si256(keys, each(flip)), kXxh3WordMultiplier);
  const Four high = _mm256_add_epi64(product.high, _mm256_slli_epi64(product.low, 1));
  const Four low = _mm256_xor_si256(product.low, _mm256_srli_epi64(high, 3));
  return {.position = fold<32>(multiply_low(fold<37>(high), kXxh3WordHigh)),
          .fingerprint = fold<28>(multiply_low(fold<35>(low), kXxh3WordLow))};
}

// Returns the hashes of keys i .. i + 3.
TELESCOPE_V3_INLINE FourHashes hash_four(const Xxh3Keys& keys, std::size_t i) noexcept {
  return xxh3_four_words(bits::v3::load(keys.keys() + i), keys.flip());
}
#endif

#if defined(TELESCOPE_HAS_V4)
struct EightHashes {
  bits::v4::Eight position, fingerprint;
};

// xxh3_word, in eight lanes.
TELESCOPE_V4_INLINE EightHashes xxh3_eight_words(bits::v4::Eight keys, std::uint64_t flip) noexcept {
  using namespace bits::v4;
  const EightProducts product = multiply(_mm512_xor_si512(keys, each(flip)), kXxh3WordMultiplier);
  Eight high = _mm512_add_epi64(product.high, _mm512_slli_epi64(product.low, 1));
  Eight low = _mm512_xor_si512(product.low, _mm512_srli_epi64(high, 3));

  low = _mm512_xor_si512(low, _mm512_srli_epi64(low, 35));
  low = _mm512_mullo_epi64(low, each(kXxh3WordLow));
  low = _mm512_xor_si512(low, _mm512_srli_epi64(low, 28));

  high = _mm512_xor_si512(high, _mm512_srli_epi64(high, 37));
  high = _mm512_mullo_epi64(high, each(kXxh3WordHigh));
  high = _mm512_xor_si512(high, _mm512_srli_epi64(high, 32));
  return {.position = high, .fingerprint = low};
}

// Returns the hashes of keys i .. i + 7. It prefetches the keys, although they lie in a row, because the hardware
// prefetcher does not while cache misses of blocks keep all line-fill buffers busy.
TELESCOPE_V4_INLINE EightHashes hash_eight(const Xxh3Keys& keys, std::size_t i) noexcept {
  constexpr std::size_t kAhead = 512;  // bytes
  TELESCOPE_PREFETCH(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(keys.keys() + i) + kAhead));
  return xxh3_eight_words(bits::v4::load_anywhere(keys.keys() + i), keys.flip());
}
#endif

}  // namespace telescope::inline v1::detail
