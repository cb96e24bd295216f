// Streams of keys, kept.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

// Numbers keys in the order of their first appearance: 0, 1, 2, ... An open table of numbers beside the keys.
class KeyIndex {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = ~Number{0};

  // Returns the key's number; gives it the next if it has none yet.
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

// A stream of keys, kept: four bytes for each access, and the keys once.
struct Recording {
  KeyIndex index;
  std::vector<KeyIndex::Number> accesses;

  void add(std::uint64_t key) { accesses.push_back(index.number(key)); }
  std::uint64_t unique() const noexcept { return index.size(); }
};

template <class Generator>
Recording record(Generator generator, std::uint64_t keys) {
  Recording made;
  made.accesses.reserve(static_cast<std::size_t>(keys));
  for (std::uint64_t i = 0; i < keys; ++i) made.add(generator.next());
  return made;
}

}  // namespace telescope::lab
