// An adaptation policy says what a slot stores for a member under a letter, and which letter tells a member from a
// query. A policy holds nothing but the width of a remainder (bits::Width), and does no I/O. Laws, for members m,
// queries y and letters l:
//   fits(remainder(m, l), l, m) is true;
//   fits(r, l, m) is false for any other r than remainder(m, l);
//   if separate(m, y, from) gives l, then fits(remainder(m, l), l, y) is false.
#pragma once

#include <cstdint>
#include <optional>

#include "telescope/detail/bits/width.hpp"
#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/codec/letters.hpp"
#include "telescope/detail/codec/slack.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {

// Where the letters of a block live.
enum class LetterStorage {
  none,   // no letters
  coded,  // compressed into the block's code, indexed by home region
  raw,    // one byte per slot, moving with the remainders
};

// Whether a block keeps a further bit of its members in what its code has left (codec/slack.hpp). The bit is one that
// neither the quotient nor a remainder depends on.
template <class A>
inline constexpr bool kHasSlack = [] {
  if constexpr (requires { A::Codec::kSlack; }) return A::Codec::kSlack;
  return false;
}();
TELESCOPE_ALWAYS_INLINE constexpr unsigned slack_bit(const Hash& hash) noexcept {
  return static_cast<unsigned>(hash.position & 1);
}

}  // namespace telescope::inline v1::detail
