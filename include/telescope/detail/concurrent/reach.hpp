// Locks every block that an operation is going to read or write, before it starts. The search for the end of a shift
// goes block by block and reads only what is locked; an insert then uses what it found.
//
// The region of a block ends where the next one starts, so offsets tell how far its runs reach. A saturated offset does
// not: then the locks extend forward and back to the next blocks whose offsets are not saturated.
#pragma once

#include <optional>

#include "telescope/detail/concurrent/region_locks.hpp"
#include "telescope/detail/query/runs.hpp"
#include "telescope/detail/update/gate.hpp"

namespace telescope::inline v1::detail {

template <class B>
class Reach {
 public:
  Reach(const B& blocks, const Regions& regions, std::uint64_t quotient) noexcept
      : blocks_(blocks),
        runs_(blocks),
        quotient_(quotient),
        locks_(regions, quotient / 64 + kLaps * blocks.count() - Regions::kReadBehind) {}

  // Locks the runs of the quotient's block: what a query and an adapt need.
  void for_run() noexcept { cover(quotient_ / 64); }

  // Locks as far as the first empty slot, and the runs of its block. Returns where a new member of the quotient goes;
  // or nothing, and then no slot is empty and all regions are locked. `size` is the number of members.
  std::optional<Place> for_insert(const std::uint64_t& size) noexcept {
    const auto full = [&] { return Gate::count(size) == blocks_.slots(); };
    if (full()) locks_.hold_all();  // an erase may be under way
    if (!all()) for_run();
    if (!all()) {
      const std::uint64_t at = std::max(runs_.limit(quotient_), quotient_);
      for (std::uint64_t x = at;;) {
        cover(x / 64);
        if (all()) break;  // what was read before may have changed
        const std::uint64_t next = runs_.limit(x);
        if (next <= x) return Place{at, x};
        x = next;
      }
    }
    if (full()) return std::nullopt;
    const std::uint64_t at = std::max(runs_.limit(quotient_), quotient_);
    return Place{at, runs_.first_empty(at)};
  }

  // Locks as far as the last slot that moves down, and the runs of its block.
  void for_erase() noexcept {
    for_run();
    if (all() || !blocks_.occupied(quotient_)) return;
    for (std::uint64_t last = runs_.limit(quotient_) - 1;;) {
      cover(last / 64);
      if (all()) return;
      const std::uint64_t next = runs_.limit(last);
      if (next <= last + 1) return;
      last = next - 1;
    }
  }

 private:
  bool all() const noexcept { return locks_.all(); }

  static constexpr std::uint64_t kLaps = 2;  // so that there are blocks before the first one

  // Locks all that Runs::limit reads for slots of the block. Once all locks are held there is nothing left to do.
  void cover(std::uint64_t block) noexcept {
    const std::uint64_t count = blocks_.count();
    const std::uint64_t here = block + kLaps * count;
    locks_.extend_to(here + Regions::kReadBehind);
    for (std::uint64_t back = here; !all() && blocks_.offset(back % count) == kSaturated;) locks_.extend_to(--back);
    std::uint64_t next = here + 1;
    while (!all() && blocks_.offset(next % count) == kSaturated) locks_.extend_to(++next);
    locks_.extend_to(next + blocks_.offset(next % count) / 64);
  }

  const B& blocks_;
  Runs<B> runs_;
  std::uint64_t quotient_;
  RegionLocks locks_;
};

}  // namespace telescope::inline v1::detail
