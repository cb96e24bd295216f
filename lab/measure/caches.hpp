// The data caches of the first processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace telescope::lab {

struct Cache {
  unsigned level;
  std::uint64_t bytes;

  std::string name() const { return "L" + std::to_string(level); }
};

// From the nearest to the farthest; empty where the system does not tell.
std::vector<Cache> data_caches();

}  // namespace telescope::lab
