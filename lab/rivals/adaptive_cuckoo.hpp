// The frame of the adaptive cuckoo filters (Mitzenmacher, Pontarelli, Reviriego 2018; Kopelowitz, McCauley, Porat 2021;
// the paper's appendix "Adaptive Cuckoo Filters").
//
// They know who lives where: beside the cells there is an array of members, slot by slot, as the remote representation.
// So the places of a member need not follow from its remainder, and a remainder can be written anew. A member has
// kPlaces places; the cell that it has in one follows from the place and from a *selector*, which only the cyclic
// scheme stores. The schemes differ in that and in how they fix a false positive:
//   Scheme::kName, kPlaces, kSlotsMultiple
//   slot(h, place, slots)          where the place is
//   cell(h, place, selector)       what the member's cell is there; never 0, which is an empty slot
//   selector(cell)                 the selector that a cell holds; 0 for an empty one
//   fix(frame, slot, place)        make the cell at that slot another one; `place` is the query's, not the member's
#pragma once

#include <vector>

#include "rivals/cells.hpp"
#include "rivals/rival.hpp"

namespace telescope::lab {

// The i-th of the independent hashes that one hash stands for.
constexpr std::uint64_t location_hash(const Hash& h, unsigned i) noexcept {
  return mix64(h.position + i * 0x9e3779b97f4a7c15u);
}

// The i-th remainder, [1, 2^bits).
template <unsigned kBits>
constexpr std::uint64_t nonzero_remainder(const Hash& h, unsigned i) noexcept {
  return 1 + scale(mix64(h.fingerprint + i * 0x9e3779b97f4a7c15u), (std::uint64_t{1} << kBits) - 1);
}

template <class Scheme>
class AdaptiveCuckoo {
 public:
  static constexpr std::string_view kName = Scheme::kName;
  static constexpr bool kAdapts = true;

  AdaptiveCuckoo(std::uint64_t slots, const Xxh3& hash)
      : slots_((slots + Scheme::kSlotsMultiple - 1) / Scheme::kSlotsMultiple * Scheme::kSlotsMultiple),
        hash_(hash),
        random_(slots),
        cells_(slots_),
        members_(static_cast<std::size_t>(slots_)) {}

  bool contains(std::uint64_t key) const noexcept {
    const Hash h = hash_(key);
    for (unsigned place = 0; place < Scheme::kPlaces; ++place) {
      if (matches(h, place)) return true;
    }
    return false;
  }

  bool insert(std::uint64_t key) {
    Hash carried = hash_(key);
    if (put_in_empty(carried)) return true;
    trail_.clear();
    while (trail_.size() < kMaxMoves) {
      const auto place = static_cast<unsigned>(random_.below(Scheme::kPlaces));
      carried = displace(Scheme::slot(carried, place, slots_), carried, place);
      if (put_in_empty(carried)) return true;
    }
    undo();
    return false;
  }

  void adapt(std::uint64_t key) {
    const Hash h = hash_(key);
    for (unsigned place = 0; place < Scheme::kPlaces; ++place) {
      if (matches(h, place)) Scheme::fix(*this, Scheme::slot(h, place, slots_), place);
    }
  }

  std::uint64_t bits() const noexcept { return cells_.bits(); }

  // For the schemes.
  static constexpr std::size_t kMaxMoves = 20'000;

  std::uint64_t slots() const noexcept { return slots_; }
  Random& random() noexcept { return random_; }
  bool empty(std::uint64_t slot) const noexcept { return cells_[slot] == 0; }
  std::uint64_t cell(std::uint64_t slot) const noexcept { return cells_[slot]; }
  const Hash& member(std::uint64_t slot) const noexcept { return members_[static_cast<std::size_t>(slot)]; }
  void clear(std::uint64_t slot) noexcept { cells_.set(slot, 0); }

  void put(std::uint64_t slot, const Hash& member, std::uint64_t cell) noexcept {
    members_[static_cast<std::size_t>(slot)] = member;
    cells_.set(slot, cell);
  }

  // Puts the member into a slot and returns who was there. The trail remembers; `undo` goes all of it back.
  Hash displace(std::uint64_t slot, const Hash& newcomer, unsigned place) {
    const Hash displaced = member(slot);
    trail_.push_back({slot, displaced, cells_[slot]});
    put(slot, newcomer, Scheme::cell(newcomer, place, 0));
    return displaced;
  }

  void forget_trail() noexcept { trail_.clear(); }
  std::size_t trail_size() const noexcept { return trail_.size(); }

  void undo() noexcept {
    for (auto step = trail_.rbegin(); step != trail_.rend(); ++step) put(step->slot, step->member, step->cell);
    trail_.clear();
  }

 private:
  struct Step {
    std::uint64_t slot;
    Hash member;
    std::uint64_t cell;
  };

  bool matches(const Hash& h, unsigned place) const noexcept {
    const std::uint64_t cell = cells_[Scheme::slot(h, place, slots_)];
    return cell == Scheme::cell(h, place, Scheme::selector(cell));
  }

  bool put_in_empty(const Hash& member) noexcept {
    for (unsigned place = 0; place < Scheme::kPlaces; ++place) {
      const std::uint64_t slot = Scheme::slot(member, place, slots_);
      if (!empty(slot)) continue;
      put(slot, member, Scheme::cell(member, place, 0));
      return true;
    }
    return false;
  }

  std::uint64_t slots_;
  Xxh3 hash_;
  Random random_;
  Cells<kRivalBits> cells_;
  std::vector<Hash> members_;  // what a store would hold: not counted
  std::vector<Step> trail_;
};

}  // namespace telescope::lab
