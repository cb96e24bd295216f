// A growing array for one operation: the first N elements cost no allocation, and running out of memory is a return
// value.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace telescope {
inline namespace v1 {
namespace detail {

template <class T, std::size_t N>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Scratch() noexcept = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // False when memory is exhausted.
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
  bool grow() noexcept {
    T* const more = static_cast<T*>(std::malloc(2 * capacity_ * sizeof(T)));
    if (more == nullptr) return false;
    std::memcpy(more, data_, size_ * sizeof(T));
    heap_.reset(more);
    data_ = more;
    capacity_ *= 2;
    return true;
  }

  struct Free {
    void operator()(T* p) const noexcept { std::free(p); }
  };

  T inline_[N];
  std::unique_ptr<T, Free> heap_;
  T* data_ = inline_;
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
