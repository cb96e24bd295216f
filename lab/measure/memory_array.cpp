#include "measure/memory_array.hpp"

#include <algorithm>

#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

constexpr std::size_t kBatch = 64;  // of 8 to 128 the best beyond the caches, a tenth off the best inside
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

template <class Line>
std::uint64_t fold(const Line& line) noexcept {
  std::uint64_t folded = 0;
  for (const std::uint64_t word : line) folded ^= word;
  return folded;
}

}  // namespace

MemoryArray::MemoryArray(std::uint64_t bytes)
    : lines_(std::max<std::uint64_t>(1, bytes / sizeof(Line))), data_(lines_ * sizeof(Line)) {
  Random random(lines_);
  for (std::uint64_t at = 0; at < lines_ * sizeof(Line); at += sizeof(std::uint64_t)) data_.store(at, random.next());
}

const MemoryArray::Line& MemoryArray::line_of(std::uint64_t random) const noexcept {
  return reinterpret_cast<const Line*>(
      data_.data())[static_cast<std::uint64_t>((static_cast<Uint128>(random) * lines_) >> 64)];
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
