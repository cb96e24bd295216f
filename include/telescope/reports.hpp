// Operations report by value; whoever wants totals adds them up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {

// What an overflow policy had to do to make a block's letters fit its code again.
struct OverflowReport {
  unsigned overflows = 0;  // encodings that did not fit
  unsigned evicted = 0;    // letters set back to zero by `evict`
  unsigned resets = 0;     // whole blocks set back to zero by `reset`

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

// Keys of a batch go in one by one and in order: the first `inserted` are in, and `status` says why the next is not.
struct BatchInsertReport {
  std::size_t inserted = 0;
  OverflowReport overflow;
  Status status;
};

struct EraseReport {
  OverflowReport overflow;
};

struct ResizeReport {
  OverflowReport overflow;  // letters that did not fit the codes of the new size
};

struct AdaptReport {
  unsigned hits = 0;     // slots that the key matched
  unsigned adapted = 0;  // of these, slots that it does not match any more
  OverflowReport overflow;

  AdaptReport& operator+=(const AdaptReport& other) noexcept {
    hits += other.hits;
    adapted += other.adapted;
    overflow += other.overflow;
    return *this;
  }
};

// The first invariant that check() found broken, and the block where it did.
struct Violation {
  std::string what;
  std::uint64_t block = 0;
};

}  // namespace v1
}  // namespace telescope
