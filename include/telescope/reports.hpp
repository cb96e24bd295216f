// Reports: what an operation on a filter has done, returned by value. The library keeps no totals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "telescope/result.hpp"

namespace telescope::inline v1 {

// What the overflow policy has done to make the letters of blocks fit their codes.
struct OverflowReport {
  unsigned overflows = 0;  // times that the letters of a block did not fit
  unsigned evicted = 0;    // letters that Overflow::evict has set to zero
  unsigned resets = 0;     // blocks whose letters Overflow::reset has set to zero

  OverflowReport& operator+=(const OverflowReport& other) noexcept {
    overflows += other.overflows;
    evicted += other.evicted;
    resets += other.resets;
    return *this;
  }
};

struct InsertReport {
  OverflowReport overflow;
};

// The keys of a batch are inserted one by one and in order. The first `inserted` of them are in the filter; if these
// are not all, `status` is the error of the next.
struct BatchInsertReport {
  std::size_t inserted = 0;
  OverflowReport overflow;
  Status status;
};

struct EraseReport {
  OverflowReport overflow;
};

struct ResizeReport {
  OverflowReport overflow;  // blocks of the new size whose letters did not fit
};

struct AdaptReport {
  unsigned hits = 0;     // slots that the key matched
  unsigned adapted = 0;  // those of them that it does not match any more
  OverflowReport overflow;

  AdaptReport& operator+=(const AdaptReport& other) noexcept {
    hits += other.hits;
    adapted += other.adapted;
    overflow += other.overflow;
    return *this;
  }
};

// The first broken invariant that check() has found.
struct Violation {
  std::string what;  // the invariant, as a phrase
  std::uint64_t block = 0;
};

}  // namespace telescope::inline v1
