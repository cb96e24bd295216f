#include "measure/caches.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

namespace telescope::lab {
namespace {

std::uint64_t bytes_of_unit(char unit) {
  switch (unit) {
    case 'K': return std::uint64_t{1} << 10;
    case 'M': return std::uint64_t{1} << 20;
    case 'G': return std::uint64_t{1} << 30;
    default: return 1;
  }
}

}  // namespace

std::vector<Cache> data_caches() {
  std::vector<Cache> caches;
  for (unsigned index = 0;; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::ifstream level_file(folder + "level"), type_file(folder + "type"), size_file(folder + "size");
    unsigned level = 0;
    std::string type;
    std::uint64_t size = 0;
    char unit = 0;
    if (!(level_file >> level) || !(type_file >> type) || !(size_file >> size)) break;
    size_file >> unit;
    if (type != "Instruction") caches.push_back({level, size * bytes_of_unit(unit)});
  }
  std::sort(caches.begin(), caches.end(), [](const Cache& a, const Cache& b) { return a.bytes < b.bytes; });
  return caches;
}

}  // namespace telescope::lab
