// Hash selectors (TAF, section "The Telescoping Adaptive Filter"): under letter i a slot stores r_i of its member, the
// i-th chunk of W; past the last chunk a mix of (W, i), so selectors are unbounded.
#pragma once

#include <type_traits>

#include "telescope/detail/adapt/policy.hpp"
#include "telescope/detail/bits/fields.hpp"

namespace telescope::inline v1::detail {

template <unsigned R>
struct SelectorRemainders : bits::Width<R> {
  static constexpr unsigned kWidth = R;
  // Changing a letter changes the stored remainder: whoever sets a letter to zero must know the member.
  static constexpr bool kLetterMovesRemainder = true;
  using bits::Width<R>::Width;
  using bits::Width<R>::width;

  TELESCOPE_ALWAYS_INLINE std::uint64_t remainder(const Hash& hash, Letter letter) const noexcept {
    if (TELESCOPE_LIKELY(letter < 64 / width())) return hash.fingerprint >> (letter * width()) & bits::ones(width());
    return bits::mix(hash.fingerprint + letter * std::uint64_t{0x9e3779b97f4a7c15}) & bits::ones(width());
  }

  TELESCOPE_ALWAYS_INLINE bool fits(std::uint64_t stored, Letter letter, const Hash& hash) const noexcept {
    return stored == remainder(hash, letter);
  }

  // Returns whether `stored` is a chunk of W: a remainder of the query under some letter below candidates(), or more.
  TELESCOPE_ALWAYS_INLINE bool is_chunk(std::uint64_t stored, const Hash& query) const noexcept {
    const bits::Fields<R> chunks(width());
    return chunks.has_zero(query.fingerprint ^ chunks.broadcast(stored));
  }

  // Returns the first letter, counting from `from`, under which the two differ; none if they share W.
  std::optional<Letter> separate(const Hash& member, const Hash& query, Letter from) const noexcept {
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
  using SelectorRemainders<R>::SelectorRemainders;
  using Codec = Code;
  constexpr Codec codec() const noexcept {
    if constexpr (std::is_constructible_v<Codec, Letter>) {
      return Codec(candidates(this->width()));
    } else {
      return Codec();
    }
  }
};

// uTAF: selectors as they are, a byte per slot.
template <unsigned R>
struct RawSelectors : SelectorRemainders<R> {
  static constexpr LetterStorage kStorage = LetterStorage::raw;
  using SelectorRemainders<R>::SelectorRemainders;
};

}  // namespace telescope::inline v1::detail
