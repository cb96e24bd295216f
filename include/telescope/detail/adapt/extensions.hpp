// Fingerprint extensions (exAF, the practical broom filter): a slot keeps its remainder and gains bits of the hash
// until the query is no prefix match any more.
#pragma once

#include "telescope/detail/adapt/policy.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <unsigned R, class Code>
struct Extensions {
  static constexpr LetterStorage kStorage = LetterStorage::coded;
  static constexpr unsigned kWidth = R;
  // A shorter extension still matches its member: letters may be dropped without asking the store.
  static constexpr bool kLetterMovesRemainder = false;
  using Codec = Code;

  static constexpr unsigned kMaxLength = 30;  // longer than any code can hold
  static_assert(R + kMaxLength <= 64);

  static TELESCOPE_ALWAYS_INLINE unsigned length(Letter letter) noexcept {
    return bits::highest(std::uint64_t{letter} + 1);
  }

  static TELESCOPE_ALWAYS_INLINE std::uint64_t remainder(const Hash& hash, Letter) noexcept {
    return hash.fingerprint & bits::ones(R);
  }
  static TELESCOPE_ALWAYS_INLINE Letter extension(const Hash& hash, unsigned length) noexcept {
    return static_cast<Letter>((hash.fingerprint >> R & bits::ones(length)) + bits::ones(length));
  }

  static TELESCOPE_ALWAYS_INLINE bool fits(std::uint64_t stored, Letter letter, const Hash& hash) noexcept {
    const unsigned bits_held = length(letter);
    return stored == remainder(hash, letter) && (bits_held > kMaxLength || letter == extension(hash, bits_held));
  }

  // The shortest extension of the member that the query does not share; `from` does not matter, extensions only grow.
  static std::optional<Letter> separate(const Hash& member, const Hash& query, Letter) noexcept {
    const std::uint64_t differ = member.fingerprint ^ query.fingerprint;
    if (differ == 0) return std::nullopt;
    const unsigned first = bits::lowest(differ);
    if (first < R) return 0;
    if (first - R >= kMaxLength) return std::nullopt;
    return extension(member, first - R + 1);
  }
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
