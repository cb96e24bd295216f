// A stream of keys, kept: four bytes for each access, and the keys once.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/key_index.hpp"

namespace telescope::lab {

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
