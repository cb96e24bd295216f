// The machine's own speed: random reads of whole cache lines, which no filter that keeps its bits in memory can beat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "measure/bytes.hpp"

namespace telescope::lab {

// Random words, aligned to cache lines.
class MemoryArray {
 public:
  // Rounds down to whole lines, at least one.
  explicit MemoryArray(std::uint64_t bytes);

  std::uint64_t bytes() const noexcept { return lines_ * sizeof(Line); }

  // Both read `reads` random lines as a whole and return something that depends on all of them.
  // Single: each address depends on the line read before, so a read costs the full latency.
  std::uint64_t read_single(std::uint64_t reads, std::uint64_t seed) const noexcept;
  // Batch: as a filter's batch query does it, the addresses of a batch first, each prefetched, then the lines.
  std::uint64_t read_batch(std::uint64_t reads, std::uint64_t seed) const noexcept;

 private:
  using Line = std::array<std::uint64_t, 8>;
  static_assert(sizeof(Line) == 64);

  const Line& line_of(std::uint64_t random) const noexcept;

  std::uint64_t lines_;
  Bytes data_;
};

}  // namespace telescope::lab
