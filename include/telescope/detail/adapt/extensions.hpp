// Fingerprint extensions (exAF, the practical broom filter): a slot keeps its remainder and gains bits of the hash
// until the query is no prefix match any more.
#pragma once

#include "telescope/detail/adapt/policy.hpp"

namespace telescope::inline v1::detail {

template <unsigned R, class Code>
struct Extensions : bits::Width<R> {
  static constexpr unsigned kWidth = R;
  static constexpr LetterStorage kStorage = LetterStorage::coded;
  using bits::Width<R>::Width;
  using bits::Width<R>::width;
  // A shorter extension still matches its member: letters may be dropped without asking the store.
  static constexpr bool kLetterMovesRemainder = false;
  using Codec = Code;
  static constexpr Codec codec() noexcept { return {}; }

  static constexpr unsigned kMaxLength = 30;  // longer than any code can hold
  static_assert(bits::kMaxWidth + kMaxLength <= 64);

  static TELESCOPE_ALWAYS_INLINE unsigned length(Letter letter) noexcept {
    return bits::highest(std::uint64_t{letter} + 1);
  }

  TELESCOPE_ALWAYS_INLINE std::uint64_t remainder(const Hash& hash, Letter) const noexcept {
    return hash.fingerprint & bits::ones(width());
  }
  TELESCOPE_ALWAYS_INLINE Letter extension(const Hash& hash, unsigned length) const noexcept {
    return static_cast<Letter>((hash.fingerprint >> width() & bits::ones(length)) + bits::ones(length));
  }

  TELESCOPE_ALWAYS_INLINE bool fits(std::uint64_t stored, Letter letter, const Hash& hash) const noexcept {
    const unsigned bits_held = length(letter);
    return stored == remainder(hash, letter) && (bits_held > kMaxLength || letter == extension(hash, bits_held));
  }

  // Returns the shortest extension of the member that the query does not share. The letter that the member has does
  // not matter, since extensions only grow.
  std::optional<Letter> separate(const Hash& member, const Hash& query, Letter) const noexcept {
    const unsigned first = bits::countr_zero(member.fingerprint ^ query.fingerprint);  // 64 if they are equal
    if (first < width()) return 0;
    if (first - width() >= kMaxLength) return std::nullopt;
    return extension(member, first - width() + 1);
  }
};

}  // namespace telescope::inline v1::detail
