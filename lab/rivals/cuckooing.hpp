// The cuckooing adaptive cuckoo filter: four places, bins of one slot, and each place has a remainder hash of its own.
// A false positive moves its member to its next place; who is there moves in turn, and so on to an empty slot.
//
// Whoever moves may undo an earlier fix, so the way to an empty slot should be short: a member takes an empty one among
// its places if there is one, and its next place only otherwise.
#pragma once

#include "rivals/adaptive_cuckoo.hpp"

namespace telescope::lab {

struct CuckooingScheme {
  static constexpr std::string_view kName = "cuckooing";
  static constexpr unsigned kPlaces = 4, kSlotsMultiple = 1;

  static std::uint64_t slot(const Hash& h, unsigned place, std::uint64_t slots) noexcept {
    return scale(location_hash(h, place), slots);
  }
  static std::uint64_t cell(const Hash& h, unsigned place, std::uint64_t) noexcept {
    return nonzero_remainder<kRivalBits>(h, place);
  }
  static std::uint64_t selector(std::uint64_t) noexcept { return 0; }

  // If no empty slot is met within kMaxMoves, everything stays as it was, the false positive with it.
  template <class Frame>
  static void fix(Frame& frame, std::uint64_t at, unsigned) {
    Hash carried = frame.member(at);
    unsigned place = place_of(carried, at, frame.cell(at), frame.slots());
    const std::uint64_t cell_before = frame.cell(at);
    const Hash first = carried;
    frame.forget_trail();
    frame.clear(at);
    while (frame.trail_size() < Frame::kMaxMoves) {
      if (settle(frame, carried, place)) return;
      place = (place + 1) % kPlaces;
      const std::uint64_t there = slot(carried, place, frame.slots());
      const unsigned its_place = place_of(frame.member(there), there, frame.cell(there), frame.slots());
      carried = frame.displace(there, carried, place);
      place = its_place;
    }
    frame.undo();
    frame.put(at, first, cell_before);
  }

 private:
  // Into an empty slot other than its place.
  template <class Frame>
  static bool settle(Frame& frame, const Hash& member, unsigned place) noexcept {
    for (unsigned i = 1; i < kPlaces; ++i) {
      const unsigned other = (place + i) % kPlaces;
      const std::uint64_t there = slot(member, other, frame.slots());
      if (!frame.empty(there)) continue;
      frame.put(there, member, cell(member, other, 0));
      return true;
    }
    return false;
  }

  // Two places of a member may fall on one slot; the cell tells which it is.
  static unsigned place_of(const Hash& member, std::uint64_t at, std::uint64_t stored, std::uint64_t slots) noexcept {
    unsigned place = 0;
    while (slot(member, place, slots) != at || cell(member, place, 0) != stored) ++place;
    return place;
  }
};

using Cuckooing = AdaptiveCuckoo<CuckooingScheme>;
static_assert(AdaptiveRival<Cuckooing>);

}  // namespace telescope::lab
