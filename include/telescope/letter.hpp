// Letters: what an adaptive filter remembers of a slot.
#pragma once

#include <cstdint>

namespace telescope {
inline namespace v1 {

// What a code stores for one slot. Zero is the letter of a slot that never adapted.
//   TAF:  the value of the hash selector.
//   exAF: the extension, numbered by length and then by value as in the paper's alphabet '', 0, 1, 00, 01, ...:
//         a string of `length` bits with value v is the letter 2^length + v - 1.
using Letter = std::uint32_t;

}  // namespace v1
}  // namespace telescope
