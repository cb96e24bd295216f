// Hash selectors (TAF, section "The Telescoping Adaptive Filter"): under letter i a slot stores r_i of its member, the
// i-th chunk of W; past the last chunk a mix of (W, i), so selectors are unbounded.
#pragma once

#include <algorithm>

#include "telescope/detail/adapt/policy.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

// How many remainders of a query a probe compares at once; a code with a letter beyond says so (Codec::tall). Of bytes
// four, though eight would do: a letter beyond the third is rare, and four candidates are hit half as often without a
// letter's choosing them, and take half a register (docs/benchmarks.md).
constexpr Letter candidates(unsigned width) noexcept { return width == 8 ? 4 : std::min(8u, 64 / width); }
template <unsigned R>
inline constexpr Letter kCandidates = candidates(R);

template <unsigned R>
struct SelectorRemainders {
  static constexpr unsigned kWidth = R;
  static constexpr unsigned kChunks = 64 / R;
  // Changing a letter changes the stored remainder: whoever zeroes a letter must know the member.
  static constexpr bool kLetterMovesRemainder = true;

  static TELESCOPE_ALWAYS_INLINE std::uint64_t remainder(const Hash& hash, Letter letter) noexcept {
    if (TELESCOPE_LIKELY(letter < kChunks)) return hash.fingerprint >> (letter * R) & bits::ones(R);
    return bits::mix(hash.fingerprint + letter * std::uint64_t{0x9e3779b97f4a7c15}) & bits::ones(R);
  }

  static TELESCOPE_ALWAYS_INLINE bool fits(std::uint64_t stored, Letter letter, const Hash& hash) noexcept {
    return stored == remainder(hash, letter);
  }

  // The first letter, counting from `from`, under which the two differ; none if they share W.
  static std::optional<Letter> separate(const Hash& member, const Hash& query, Letter from) noexcept {
    for (Letter letter = from; letter - from < 64; ++letter) {
      if (remainder(member, letter) != remainder(query, letter)) return letter;
    }
    return std::nullopt;
  }
};

// TAF: selectors in a code.
template <unsigned R, class Code>
struct Selectors : SelectorRemainders<R> {
  static constexpr LetterStorage kStorage = LetterStorage::coded;
  using Codec = Code;
};

// uTAF: selectors as they are, a byte per slot.
template <unsigned R>
struct RawSelectors : SelectorRemainders<R> {
  static constexpr LetterStorage kStorage = LetterStorage::raw;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
