#include "measure/memory_array.hpp"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "io/errors.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kBatch = 64;  // of 8 to 128 the best beyond the caches, a tenth off the best inside
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

template <class Line>
std::uint64_t fold(const Line& line) noexcept {
  std::uint64_t folded = 0;
  for (const std::uint64_t word : line) folded ^= word;
  return folded;
}

void* allocate(std::size_t bytes, Pages pages) {
  const std::size_t alignment = pages == Pages::huge ? kHugePage : 64;
  void* made = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (made == nullptr) throw LabError(fmt::format("no memory for an array of {} bytes: take a smaller one", bytes));
  if (pages == Pages::huge) madvise(made, bytes, MADV_HUGEPAGE);
  return made;
}

}  // namespace

const char* why_no_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  if (!std::getline(file, modes)) return "this kernel has no transparent huge pages: run without --huge-pages";
  if (modes.find("[never]") == std::string::npos) return nullptr;
  return "transparent huge pages are off: write madvise to /sys/kernel/mm/transparent_hugepage/enabled";
}

void MemoryArray::Free::operator()(Line* lines) const noexcept { std::free(lines); }

MemoryArray::MemoryArray(std::uint64_t bytes, Pages pages)
    : lines_(std::max<std::uint64_t>(1, bytes / sizeof(Line))),
      data_(static_cast<Line*>(allocate(static_cast<std::size_t>(lines_) * sizeof(Line), pages))) {
  Random random(lines_);
  for (std::uint64_t i = 0; i < lines_; ++i) {
    for (std::uint64_t& word : data_[i]) word = random.next();
  }
}

const MemoryArray::Line& MemoryArray::line_of(std::uint64_t random) const noexcept {
  return data_[static_cast<std::size_t>((static_cast<Uint128>(random) * lines_) >> 64)];
}

std::uint64_t MemoryArray::read_single(std::uint64_t reads, std::uint64_t seed) const noexcept {
  std::uint64_t state = mix64(seed);
  std::uint64_t folded = 0;
  for (std::uint64_t i = 0; i < reads; ++i) {
    folded = fold(line_of(folded + state));
    state += kStep;  // without it, the chain would soon run in a circle
  }
  return folded;
}

std::uint64_t MemoryArray::read_batch(std::uint64_t reads, std::uint64_t seed) const noexcept {
  std::array<const Line*, kBatch> batch;
  std::uint64_t folded = 0;
  for (std::uint64_t done = 0; done < reads;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, reads - done));
    for (std::size_t i = 0; i < size; ++i) {
      batch[i] = &line_of(mix64(seed + (done + i) * kStep));
      __builtin_prefetch(batch[i]);
    }
    for (std::size_t i = 0; i < size; ++i) folded ^= fold(*batch[i]);
    done += size;
  }
  return folded;
}

}  // namespace telescope::lab
