// Letter: what an adaptive filter remembers of one slot.
#pragma once

#include <cstdint>

namespace telescope::inline v1 {

// A letter says which of its possible remainders a member has in its slot. A block's letters are compressed into one
// code. The letter 0 means that the slot has not adapted.
//   TAF, uTAF: the letter is the hash selector, that is the number of the remainder.
//   exAF:      the letter is the extension, numbered by length and then by value as in the paper's alphabet '', 0, 1,
//              00, 01, ...: a string of `length` bits with value v is the letter 2^length + v - 1.
using Letter = std::uint32_t;

}  // namespace telescope::inline v1
