// Cells of a fixed number of bits, packed without gaps: a cell is a word at some byte, a shift and a mask.
#pragma once

#include <bit>
#include <cstdint>

#include "measure/bytes.hpp"

namespace telescope::lab {

static_assert(std::endian::native == std::endian::little, "cells are cut from little-endian words");

template <unsigned kBits>
class Cells {
  static_assert(kBits >= 1 && kBits <= 57, "a cell and the bits before it in its first byte fit a word");

 public:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

  explicit Cells(std::uint64_t count) : count_(count), bytes_((count * kBits + 7) / 8 + 8) {}

  std::uint64_t operator[](std::uint64_t i) const noexcept { return word(i) & kMask; }

  // The cell, and above it whatever comes next.
  std::uint64_t word(std::uint64_t i) const noexcept {
    const std::uint64_t bit = i * kBits;
    return bytes_.load(bit >> 3) >> (bit & 7);
  }

  void set(std::uint64_t i, std::uint64_t cell) noexcept {
    const std::uint64_t bit = i * kBits;
    const std::uint64_t kept = bytes_.load(bit >> 3) & ~(kMask << (bit & 7));
    bytes_.store(bit >> 3, kept | cell << (bit & 7));
  }

  std::uint64_t size() const noexcept { return count_; }
  std::uint64_t bits() const noexcept { return count_ * kBits; }

 private:
  std::uint64_t count_;
  Bytes bytes_;
};

}  // namespace telescope::lab
