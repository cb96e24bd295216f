// The cyclic adaptive cuckoo filter: s bits of each cell select the remainder's hash, and a false positive selects the
// next. Four places, bins of one slot, remainders of 11 - s bits. A member that moves starts again with selector 0.
#pragma once

#include <array>

#include "rivals/adaptive_cuckoo.hpp"

namespace telescope::lab {

template <unsigned kSelectorBits>
struct CyclicScheme {
  static constexpr unsigned kPlaces = 4, kSlotsMultiple = 1;
  static constexpr unsigned kRemainderBits = kRivalBits - kSelectorBits;
  static constexpr std::string_view kName =
      std::array<std::string_view, 4>{"", "cyclic1", "cyclic2", "cyclic3"}[kSelectorBits];

  static std::uint64_t slot(const Hash& h, unsigned place, std::uint64_t slots) noexcept {
    return scale(location_hash(h, place), slots);
  }
  static std::uint64_t cell(const Hash& h, unsigned, std::uint64_t selector) noexcept {
    return selector << kRemainderBits | nonzero_remainder<kRemainderBits>(h, static_cast<unsigned>(selector));
  }
  static std::uint64_t selector(std::uint64_t cell) noexcept { return cell >> kRemainderBits; }

  template <class Frame>
  static void fix(Frame& frame, std::uint64_t at, unsigned place) noexcept {
    const std::uint64_t next = (selector(frame.cell(at)) + 1) % (1u << kSelectorBits);
    const Hash member = frame.member(at);
    frame.put(at, member, cell(member, place, next));
  }
};

template <unsigned kSelectorBits>
using Cyclic = AdaptiveCuckoo<CyclicScheme<kSelectorBits>>;
static_assert(AdaptiveRival<Cyclic<1>> && AdaptiveRival<Cyclic<2>> && AdaptiveRival<Cyclic<3>>);

}  // namespace telescope::lab
