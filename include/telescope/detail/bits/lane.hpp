// A lane: 64 fields of R bits, packed without gaps into R little-endian words. Field i holds bits [i R, (i + 1) R).
// Every access stays inside the lane's 8 R bytes.
#pragma once

#include <algorithm>

#include "telescope/detail/bits/word.hpp"

namespace telescope {
inline namespace v1 {
namespace detail::bits {

template <unsigned R>
struct Lane {
  static_assert(R >= 1 && R <= 32);
  static constexpr unsigned kBytes = 8 * R;
  static constexpr std::uint64_t kMask = ones(R);

  static TELESCOPE_ALWAYS_INLINE std::uint64_t get(const std::byte* lane, unsigned i) noexcept {
    if constexpr (R == 8) {
      return static_cast<std::uint64_t>(lane[i]);
    } else {
      const unsigned bit = i * R;
      const unsigned byte = std::min(bit / 8, kBytes - 8);
      return load64(lane + byte) >> (bit - 8 * byte) & kMask;
    }
  }

  static TELESCOPE_ALWAYS_INLINE void set(std::byte* lane, unsigned i, std::uint64_t value) noexcept {
    if constexpr (R == 8) {
      lane[i] = static_cast<std::byte>(value);
    } else {
      const unsigned bit = i * R;
      const unsigned byte = std::min(bit / 8, kBytes - 8);
      const unsigned shift = bit - 8 * byte;
      const std::uint64_t word = load64(lane + byte);
      store64(lane + byte, (word & ~(kMask << shift)) | value << shift);
    }
  }

  // Fields [from, to) move to [from + 1, to + 1), to <= 63. Field `from` keeps its value.
  static void shift_up(std::byte* lane, unsigned from, unsigned to) noexcept {
    if (from >= to) return;
    if constexpr (R == 8) {
      std::memmove(lane + from + 1, lane + from, to - from);
    } else {
      const unsigned low = (from + 1) * R, high = (to + 1) * R;
      for (unsigned w = (high - 1) / 64; w + 1 > low / 64; --w) {
        const std::uint64_t below = w > 0 ? load64(lane + 8 * (w - 1)) : 0;
        const std::uint64_t here = load64(lane + 8 * w);
        put(lane, w, low, high, here, here << R | below >> (64 - R));
        if (w == 0) break;
      }
    }
  }

  // Fields [from + 1, to + 1) move to [from, to), to <= 63. Field `to` keeps its value.
  static void shift_down(std::byte* lane, unsigned from, unsigned to) noexcept {
    if (from >= to) return;
    if constexpr (R == 8) {
      std::memmove(lane + from, lane + from + 1, to - from);
    } else {
      const unsigned low = from * R, high = to * R;
      for (unsigned w = low / 64; w <= (high - 1) / 64; ++w) {
        const std::uint64_t above = w + 1 < R ? load64(lane + 8 * (w + 1)) : 0;
        const std::uint64_t here = load64(lane + 8 * w);
        put(lane, w, low, high, here, here >> R | above << (64 - R));
      }
    }
  }

 private:
  // Writes the bits of word w that lie in [low, high) of the lane.
  static void put(std::byte* lane, unsigned w, unsigned low, unsigned high, std::uint64_t old, std::uint64_t now) noexcept {
    const unsigned first = 64 * w;
    const std::uint64_t mask = ones(low > first ? low - first : 0, std::min(high - first, 64u));
    store64(lane + 8 * w, (old & ~mask) | (now & mask));
  }
};

}  // namespace detail::bits
}  // namespace v1
}  // namespace telescope
