// Numbers keys in the order of their first appearance: 0, 1, 2, ... An open table of numbers beside the keys.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

class KeyIndex {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = ~Number{0};

  // The key's number; a new one if it has none yet.
  Number number(std::uint64_t key) {
    if (2 * keys_.size() >= table_.size()) grow();
    const std::size_t at = place(key);
    if (table_[at] == kNone) {
      if (keys_.size() == kNone) throw std::length_error("more than 2^32 - 1 different keys");
      table_[at] = static_cast<Number>(keys_.size());
      keys_.push_back(key);
    }
    return table_[at];
  }

  bool contains(std::uint64_t key) const noexcept { return table_[place(key)] != kNone; }

  std::size_t size() const noexcept { return keys_.size(); }
  std::uint64_t key(Number number) const noexcept { return keys_[number]; }
  const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }

 private:
  std::size_t place(std::uint64_t key) const noexcept {
    auto at = static_cast<std::size_t>(mix64(key)) & (table_.size() - 1);
    while (table_[at] != kNone && keys_[table_[at]] != key) at = (at + 1) & (table_.size() - 1);
    return at;
  }

  void grow() {
    table_.assign(2 * table_.size(), kNone);
    for (std::size_t i = 0; i < keys_.size(); ++i) table_[place(keys_[i])] = static_cast<Number>(i);
  }

  std::vector<std::uint64_t> keys_;
  std::vector<Number> table_ = std::vector<Number>(16, kNone);  // a power of two
};

}  // namespace telescope::lab
