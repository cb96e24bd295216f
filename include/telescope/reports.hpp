// Operations report by value; whoever wants totals adds them up.
#pragma once

#include <cstddef>

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

// What to do when a block's letters do not fit its code (section "Storing hash selectors in blocks").
enum class Overflow {
  evict,  // wrap one's own letter first, then set the largest letters to zero until the code fits
  reset,  // the paper's rebuild: set every letter of the block to zero, then adapt
};

}  // namespace v1
}  // namespace telescope
