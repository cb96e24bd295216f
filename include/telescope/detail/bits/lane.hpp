// A lane: 64 fields of R bits, packed without gaps into R little-endian words. Field i holds bits [i R, (i + 1) R).
// Every access stays inside the lane's 8 R bytes, but where a comment says otherwise.
#pragma once

#include <algorithm>

#include "telescope/detail/bits/bytes64.hpp"
#include "telescope/detail/bits/width.hpp"

namespace telescope::inline v1::detail::bits {

template <unsigned R>
struct Lane : Width<R> {
  static_assert(R <= kMaxWidth);
  using Width<R>::Width;
  using Width<R>::width;

  constexpr unsigned bytes() const noexcept { return 8 * width(); }

  TELESCOPE_ALWAYS_INLINE std::uint64_t get(const std::byte* lane, unsigned i) const noexcept {
    if constexpr (R == 8) {
      return static_cast<std::uint64_t>(lane[i]);
    } else {
      const unsigned bit = i * width();
      const unsigned byte = std::min(bit / 8, bytes() - 8);
      return load64(lane + byte) >> (bit - 8 * byte) & ones(width());
    }
  }

  TELESCOPE_ALWAYS_INLINE void set(std::byte* lane, unsigned i, std::uint64_t value) const noexcept {
    if constexpr (R == 8) {
      lane[i] = static_cast<std::byte>(value);
    } else {
      const unsigned bit = i * width();
      const unsigned byte = std::min(bit / 8, bytes() - 8);
      const unsigned shift = bit - 8 * byte;
      const std::uint64_t word = load64(lane + byte);
      store64(lane + byte, (word & ~(ones(width()) << shift)) | value << shift);
    }
  }

  // The same at an address that does not depend on i. For operations on lanes that are not in the cache, where i is
  // known late: a store whose address is unknown holds up the loads behind it.
  TELESCOPE_ALWAYS_INLINE void set_masked(std::byte* lane, unsigned i, std::uint64_t value) const noexcept {
#if defined(TELESCOPE_HAS_V4)
    if constexpr (R == 8) {
      if (has_v4()) return store_byte_v4(lane, i, value);
      if (TELESCOPE_LIKELY(has_fast())) return store_byte_v3(lane, i, value);
    }
#endif
    set(lane, i, value);
  }

  // Bit i: field i is zero.
  static constexpr bool kFindsZeros = R == 8;
  TELESCOPE_ALWAYS_INLINE static std::uint64_t zeros(const std::byte* lane) noexcept requires kFindsZeros {
    return zero_bytes(lane);
  }

  // Fields [from, to) move to [from + 1, to + 1), to <= 63. Field `from` keeps its value.
  void shift_up(std::byte* lane, unsigned from, unsigned to) const noexcept {
    if (from >= to) return;
    if constexpr (R == 8) {
      shift_bytes_up(lane, from, to);
    } else {
      const unsigned low = (from + 1) * width(), high = (to + 1) * width();
      for (unsigned w = (high - 1) / 64; w + 1 > low / 64; --w) {
        const std::uint64_t below = w > 0 ? load64(lane + 8 * (w - 1)) : 0;
        const std::uint64_t here = load64(lane + 8 * w);
        put(lane, w, low, high, here, here << width() | below >> (64 - width()));
        if (w == 0) break;
      }
    }
  }

  // Fields [from + 1, to + 1) move to [from, to), to <= 63. Field `to` keeps its value.
  void shift_down(std::byte* lane, unsigned from, unsigned to) const noexcept {
    if (from >= to) return;
    if constexpr (R == 8) {
      std::memmove(lane + from, lane + from + 1, to - from);
    } else {
      const unsigned low = from * width(), high = to * width();
      for (unsigned w = low / 64; w <= (high - 1) / 64; ++w) {
        const std::uint64_t above = w + 1 < width() ? load64(lane + 8 * (w + 1)) : 0;
        const std::uint64_t here = load64(lane + 8 * w);
        put(lane, w, low, high, here, here >> width() | above << (64 - width()));
      }
    }
  }

 private:
  // Writes the bits of word w that lie in [low, high) of the lane.
  static void put(std::byte* lane, unsigned w, unsigned low, unsigned high, std::uint64_t old,
                  std::uint64_t now) noexcept {
    const unsigned first = 64 * w;
    const std::uint64_t mask = ones(low > first ? low - first : 0, std::min(high - first, 64u));
    store64(lane + 8 * w, (old & ~mask) | (now & mask));
  }
};

}  // namespace telescope::inline v1::detail::bits
