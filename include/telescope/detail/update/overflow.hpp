// What to give up when the letters of a block do not fit its code. Pure: letters in, letters out.
#pragma once

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/codec/letters.hpp"
#include "telescope/function_ref.hpp"
#include "telescope/options.hpp"
#include "telescope/reports.hpp"

namespace telescope::inline v1::detail {

struct IndexRange {
  std::uint32_t first = 0, end = 0;
  bool contains(std::uint32_t index) const noexcept { return first <= index && index < end; }
};

// Returns the index of the letter to set back to zero next: the largest, since it frees the most bits and re-opens no
// more old false positives than a small one; among equals the last, since zeros behind the last letter are free.
// Letters in `keep` go last.
inline std::uint32_t victim(const Letters& letters, IndexRange keep) noexcept {
  const PlacedLetter* worst = nullptr;
  for (const PlacedLetter& p : letters.placed()) {
    if (worst == nullptr) {
      worst = &p;
      continue;
    }
    const bool kept = keep.contains(p.index), worst_kept = keep.contains(worst->index);
    if (kept == worst_kept ? p.letter >= worst->letter : worst_kept) worst = &p;
  }
  return worst->index;
}

struct Fitted {
  Letters letters;  // before `shift`
  Letters shifted;  // and behind it: they fit
};

// Zeroes letters by the policy until the code of shift(letters) fits. Always succeeds, because no letters do.
template <Codec C>
TELESCOPE_NOINLINE Fitted fit(const C& codec, Letters letters, FunctionRef<void(Letters&)> shift, Overflow policy,
                              IndexRange keep, OverflowReport& report) noexcept {
  for (bool first = true;; first = false) {
    Letters shifted = letters;
    shift(shifted);
    if (codec.encode(shifted)) return {letters, shifted};
    if (first) ++report.overflows;
    if (policy == Overflow::reset) {
      letters.clear();
      ++report.resets;
    } else {
      letters.set(victim(letters, keep), 0);
      ++report.evicted;
    }
  }
}

}  // namespace telescope::inline v1::detail
