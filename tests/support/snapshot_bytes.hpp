// The bytes of a snapshot, read and forged by docs/format.md alone: nothing here is the library's.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "directory.hpp"

namespace telescope::testing {

using Bytes = std::vector<std::uint8_t>;

inline Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline std::uint64_t get(const Bytes& bytes, std::size_t at, int width) {
  std::uint64_t value = 0;
  for (int i = width; i-- > 0;) value = value << 8 | bytes.at(at + static_cast<std::size_t>(i));
  return value;
}
inline void put(Bytes& bytes, std::size_t at, int width, std::uint64_t value) {
  for (int i = 0; i < width; ++i, value >>= 8) {
    bytes.at(at + static_cast<std::size_t>(i)) = static_cast<std::uint8_t>(value & 0xff);
  }
}

// Makes every checksum right that can be found, as a forger would.
inline void fix_checksums(Bytes& bytes) {
  if (bytes.size() < 256) return;
  const auto inside = [&](std::uint64_t from, std::uint64_t length) {
    return from <= bytes.size() && length <= bytes.size() - from;
  };
  const std::uint64_t sections = std::min<std::uint64_t>(get(bytes, 72, 4), 4);
  std::uint64_t sums = 0, sums_length = 0;
  for (std::uint64_t i = 0; i < sections; ++i) {
    const std::size_t entry = 80 + 32 * i;
    const std::uint64_t from = get(bytes, entry + 8, 8), length = get(bytes, entry + 16, 8);
    if (!inside(from, length)) continue;
    if (get(bytes, entry, 4) == 3) {
      sums = from;
      sums_length = length;
    }
    if (get(bytes, entry, 4) != 4) continue;
    for (std::uint64_t chunk = 0; 65536 * chunk < length && 8 * chunk + 8 <= sums_length; ++chunk) {
      const std::uint64_t rest = std::min<std::uint64_t>(65536, length - 65536 * chunk);
      put(bytes, sums + 8 * chunk, 8, XXH3_64bits(bytes.data() + from + 65536 * chunk, rest));
    }
  }
  for (std::uint64_t i = 0; i < sections; ++i) {
    const std::size_t entry = 80 + 32 * i;
    std::uint64_t from = get(bytes, entry + 8, 8), length = get(bytes, entry + 16, 8);
    if (get(bytes, entry, 4) == 4) {
      from = sums;
      length = sums_length;
    }
    if (inside(from, length)) put(bytes, entry + 24, 8, XXH3_64bits(bytes.data() + from, length));
  }
  put(bytes, 248, 8, XXH3_64bits(bytes.data(), 248));
}

}  // namespace telescope::testing
