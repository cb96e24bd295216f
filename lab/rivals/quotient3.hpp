// The quotient filter with three bits of metadata per slot (Bender et al., "Don't thrash: how to cache your hash on
// flash", 2012), from which the rank-and-select one came.
//
//   cell, 11 bits:   remainder (8) | shifted | continuation | occupied
//
//   occupied       some member has this slot as its quotient (about the slot, not about what it holds)
//   continuation   the remainder here is not the first of its run
//   shifted        the remainder here is not at its quotient
//
// Empty: none of the three. A cluster begins where nothing is shifted; to find a run one walks there and back, counting
// runs. That is what rank and select do away with: at load .95 clusters are hundreds of slots long.
#pragma once

#include "rivals/cells.hpp"
#include "rivals/rival.hpp"

namespace telescope::lab {

class Quotient3 {
 public:
  static constexpr std::string_view kName = "qf";
  static constexpr bool kAdapts = false;

  Quotient3(std::uint64_t slots, const Xxh3& hash) : slots_(slots), hash_(hash), cells_(slots) {}

  bool insert(std::uint64_t key) noexcept {
    if (size_ + 1 >= slots_) return false;  // a ring without an empty slot has no cluster to begin from
    const Hash h = hash_(key);
    const std::uint64_t quotient = scale(h.position, slots_);
    std::uint64_t entry = remainder(h) << kMetadataBits;
    ++size_;
    if (is_empty(cells_[quotient])) {
      cells_.set(quotient, entry | kOccupied);
      return true;
    }
    const bool first = !is(quotient, kOccupied);
    cells_.set(quotient, cells_[quotient] | kOccupied);
    std::uint64_t slot = run_start(quotient);
    if (!first) {
      slot = run_end(slot);
      entry |= kContinuation;
    }
    if (slot != quotient) entry |= kShifted;
    shift_in(slot, entry);
    return true;
  }

  bool contains(std::uint64_t key) const noexcept {
    const Hash h = hash_(key);
    const std::uint64_t quotient = scale(h.position, slots_);
    if (!is(quotient, kOccupied)) return false;
    const std::uint64_t wanted = remainder(h);
    std::uint64_t slot = run_start(quotient);
    do {
      if (cells_[slot] >> kMetadataBits == wanted) return true;
      slot = next(slot);
    } while (is(slot, kContinuation));
    return false;
  }

  std::uint64_t bits() const noexcept { return cells_.bits(); }

 private:
  static constexpr unsigned kMetadataBits = 3;
  static constexpr std::uint64_t kOccupied = 1, kContinuation = 2, kShifted = 4;

  static std::uint64_t remainder(const Hash& h) noexcept {
    return h.fingerprint >> (64 - (kRivalBits - kMetadataBits));
  }
  static bool is_empty(std::uint64_t cell) noexcept { return (cell & (kOccupied | kContinuation | kShifted)) == 0; }
  bool is(std::uint64_t slot, std::uint64_t flag) const noexcept { return (cells_[slot] & flag) != 0; }
  std::uint64_t next(std::uint64_t slot) const noexcept { return slot + 1 == slots_ ? 0 : slot + 1; }
  std::uint64_t previous(std::uint64_t slot) const noexcept { return slot == 0 ? slots_ - 1 : slot - 1; }

  // Where the run of an occupied quotient begins, or would begin if its first remainder is yet to come.
  std::uint64_t run_start(std::uint64_t quotient) const noexcept {
    std::uint64_t owner = quotient;
    while (is(owner, kShifted)) owner = previous(owner);
    std::uint64_t slot = owner;
    while (owner != quotient) {
      slot = run_end(slot);
      do {
        owner = next(owner);
      } while (!is(owner, kOccupied));
    }
    return slot;
  }

  // One past the run that begins at `slot`.
  std::uint64_t run_end(std::uint64_t slot) const noexcept {
    do {
      slot = next(slot);
    } while (is(slot, kContinuation));
    return slot;
  }

  // Puts the entry at `slot`, and everything up to the next empty slot one further. `occupied` stays where it is.
  void shift_in(std::uint64_t slot, std::uint64_t entry) noexcept {
    for (;; slot = next(slot)) {
      const std::uint64_t here = cells_[slot];
      cells_.set(slot, (entry & ~kOccupied) | (here & kOccupied));
      if (is_empty(here)) return;
      entry = here | kShifted;  // whatever moves is not at its quotient from now on
    }
  }

  std::uint64_t slots_;
  std::uint64_t size_ = 0;
  Xxh3 hash_;
  Cells<kRivalBits> cells_;
};

static_assert(Rival<Quotient3>);

}  // namespace telescope::lab
