// The machine's own speed: random reads of whole cache lines, which no filter that keeps its bits in memory can beat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace telescope::lab {

enum class Pages { plain, huge };

// An array of a few megabytes spans more pages than the processor remembers: from here on filters ask for huge pages,
// and an array that stands for one does as well.
constexpr Pages pages_for(std::uint64_t bytes) noexcept {
  return bytes >= std::uint64_t{4} << 20 ? Pages::huge : Pages::plain;
}

// Null if the kernel gives huge pages to who asks for them; otherwise what to do about it.
const char* why_no_huge_pages();

// Random words, aligned to cache lines. Huge pages are a wish, as they are for a filter: see why_no_huge_pages.
class MemoryArray {
 public:
  // Rounded down to whole lines, at least one. Throws LabError if there is no memory.
  MemoryArray(std::uint64_t bytes, Pages pages);

  std::uint64_t bytes() const noexcept { return lines_ * sizeof(Line); }

  // Both read `reads` random lines as a whole and return something that depends on all of them.
  // Single: each address depends on the line read before, so a read costs the full latency.
  std::uint64_t read_single(std::uint64_t reads, std::uint64_t seed) const noexcept;
  // Batch: as a filter's batch query does it, the addresses of a batch first, each prefetched, then the lines.
  std::uint64_t read_batch(std::uint64_t reads, std::uint64_t seed) const noexcept;

 private:
  using Line = std::array<std::uint64_t, 8>;
  static_assert(sizeof(Line) == 64);

  struct Free {
    void operator()(Line* lines) const noexcept;
  };

  const Line& line_of(std::uint64_t random) const noexcept;

  std::uint64_t lines_;
  std::unique_ptr<Line[], Free> data_;
};

}  // namespace telescope::lab
