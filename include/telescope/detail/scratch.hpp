// A growing array for one operation: the first N elements cost no allocation, the rest come from the filter's own
// allocator, and running out of memory is a return value.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "telescope/detail/memory.hpp"

namespace telescope::inline v1::detail {

template <class T, std::size_t N>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kCacheLine);

 public:
  explicit Scratch(std::pmr::memory_resource* memory) noexcept : memory_(memory) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Return false when memory is exhausted.
  bool push(const T& value) noexcept {
    if (size_ == capacity_ && !grow()) return false;
    data_[size_++] = value;
    return true;
  }
  bool resize(std::size_t size, const T& value) noexcept {
    while (size_ < size) {
      if (!push(value)) return false;
    }
    size_ = size;
    return true;
  }

  std::pmr::memory_resource* memory() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  std::span<T> span() noexcept { return {data_, size_}; }
  std::span<const T> span() const noexcept { return {data_, size_}; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }

 private:
  [[gnu::cold]] bool grow() noexcept {
    ByteArray more = allocate_array(2 * capacity_ * sizeof(T), {.resource = memory_, .huge_pages = false});
    if (!more) return false;
    std::memcpy(more.get(), data_, size_ * sizeof(T));
    data_ = reinterpret_cast<T*>(more.get());
    heap_ = std::move(more);
    capacity_ *= 2;
    return true;
  }

  std::pmr::memory_resource* memory_;
  alignas(T) std::byte inline_[N * sizeof(T)];  // bytes, so that nothing is set that is not pushed
  ByteArray heap_;
  T* data_ = reinterpret_cast<T*>(inline_);
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace telescope::inline v1::detail
