// The swapping adaptive cuckoo filter: two bins of four slots, and each slot of a bin has a remainder hash of its own.
// A false positive moves its member to another slot of the bin, in exchange with who is there. No bit is spent on that.
#pragma once

#include "rivals/adaptive_cuckoo.hpp"

namespace telescope::lab {

struct SwappingScheme {
  static constexpr std::string_view kName = "swapping";
  static constexpr unsigned kBin = 4, kPlaces = 2 * kBin, kSlotsMultiple = kBin;

  static std::uint64_t slot(const Hash& h, unsigned place, std::uint64_t slots) noexcept {
    return scale(location_hash(h, place / kBin), slots / kBin) * kBin + place % kBin;
  }
  static std::uint64_t cell(const Hash& h, unsigned place, std::uint64_t) noexcept {
    return nonzero_remainder<kRivalBits>(h, place % kBin);
  }
  static std::uint64_t selector(std::uint64_t) noexcept { return 0; }

  template <class Frame>
  static void fix(Frame& frame, std::uint64_t at, unsigned place) noexcept {
    const auto other = (place + 1 + static_cast<unsigned>(frame.random().below(kBin - 1))) % kBin;
    const std::uint64_t there = at - place % kBin + other;
    const Hash member = frame.member(at);
    if (frame.empty(there)) {
      frame.clear(at);
    } else {
      const Hash neighbour = frame.member(there);
      frame.put(at, neighbour, cell(neighbour, place, 0));
    }
    frame.put(there, member, cell(member, other, 0));
  }
};

using Swapping = AdaptiveCuckoo<SwappingScheme>;
static_assert(AdaptiveRival<Swapping>);

}  // namespace telescope::lab
