// Zeroed memory of a rival, or of random reads. Large arrays ask for huge pages, as our filters do: what is compared
// are filters, not page tables.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace telescope::lab {

class Bytes {
 public:
  explicit Bytes(std::uint64_t size) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    const auto bytes = static_cast<std::size_t>(size);
    const std::size_t alignment = bytes >= 2 * kHugePage ? kHugePage : 64;
    const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, room)));
    if (data_ == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(data_.get(), room, MADV_HUGEPAGE);
    std::memset(data_.get(), 0, room);
  }

  // Reads a word at any byte, in the byte order of the machine.
  std::uint64_t load(std::uint64_t at) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, data_.get() + at, sizeof word);
    return word;
  }
  void store(std::uint64_t at, std::uint64_t word) noexcept { std::memcpy(data_.get() + at, &word, sizeof word); }

  std::byte* data() noexcept { return data_.get(); }
  const std::byte* data() const noexcept { return data_.get(); }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte[], Free> data_;
};

}  // namespace telescope::lab
