// No adaptation: the RSQF. A slot keeps the first remainder of its member for ever.
#pragma once

#include "telescope/detail/adapt/policy.hpp"

namespace telescope::inline v1::detail {

template <unsigned R>
struct None : bits::Width<R> {
  static constexpr unsigned kWidth = R;
  static constexpr LetterStorage kStorage = LetterStorage::none;
  static constexpr bool kLetterMovesRemainder = false;
  using bits::Width<R>::Width;

  TELESCOPE_ALWAYS_INLINE std::uint64_t remainder(const Hash& hash, Letter) const noexcept {
    return hash.fingerprint & bits::ones(this->width());
  }
  TELESCOPE_ALWAYS_INLINE bool fits(std::uint64_t stored, Letter letter, const Hash& hash) const noexcept {
    return stored == remainder(hash, letter);
  }
};

}  // namespace telescope::inline v1::detail
