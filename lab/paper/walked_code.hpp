// What the paper's coders share: a code is read by walking over its letters.
#pragma once

#include <cstdint>

#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail {

// Code::walk(code, visit) calls visit(slot, letter) for each letter that is not zero, in order, until it returns false.
template <class Code>
struct WalkedCode {
  static Letters decode(std::uint64_t code) noexcept {
    Letters letters;
    Code::walk(code, [&](std::uint32_t slot, Letter letter) { return letters.push(slot, letter); });
    return letters;
  }

  static Letter letter_at(std::uint64_t code, std::uint32_t index) noexcept {
    Letter found = 0;
    Code::walk(code, [&](std::uint32_t slot, Letter letter) {
      if (slot == index) found = letter;
      return slot < index;
    });
    return found;
  }
};

}  // namespace telescope::inline v1::detail
