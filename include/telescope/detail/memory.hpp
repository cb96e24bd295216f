// Allocates memory from an allocator that the user gives, or from aligned operator new. Returns null when there is
// none, also where an allocator throws.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace telescope::inline v1::detail {

// A random read of a large array on small pages misses the TLB as well as the cache.
inline constexpr std::size_t kHugePage = std::size_t{1} << 21;
inline constexpr std::size_t kCacheLine = 64;

struct Memory {
  std::pmr::memory_resource* resource = nullptr;  // null: aligned operator new
  bool huge_pages = true;                         // ask for them where an array is large
};

inline void* allocate(std::pmr::memory_resource* resource, std::size_t bytes, std::size_t alignment) noexcept {
  if (resource == nullptr) return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
  try {
    return resource->allocate(bytes, alignment);
  } catch (...) {
    return nullptr;
  }
}
inline void release(std::pmr::memory_resource* resource, void* p, std::size_t bytes, std::size_t alignment) noexcept {
  if (resource == nullptr) return ::operator delete (p, std::align_val_t{alignment});
  resource->deallocate(p, bytes, alignment);
}

struct FreeArray {
  std::pmr::memory_resource* resource = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 0;  // zero: the memory is somebody else's
  void operator()(std::byte* p) const noexcept {
    if (alignment != 0) release(resource, p, bytes, alignment);
  }
};
using ByteArray = std::unique_ptr<std::byte[], FreeArray>;

// Returns memory that is not initialised, or null. It asks for exactly so many bytes, aligned to a huge page if the
// kernel is to be advised of them.
inline ByteArray allocate_array(std::size_t bytes, const Memory& memory) noexcept {
  const bool huge = memory.huge_pages && bytes >= 2 * kHugePage;
  const std::size_t alignment = huge ? kHugePage : kCacheLine;
  auto* const p = static_cast<std::byte*>(allocate(memory.resource, bytes, alignment));
#if defined(__linux__)
  // Advice: a system that refuses serves small pages.
  if (huge && p != nullptr) (void)::madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return ByteArray(p, FreeArray{memory.resource, bytes, alignment});
}

// Default-constructed objects in such memory. Empty on failure; see operator bool.
template <class T>
class Objects {
 public:
  Objects() noexcept = default;
  Objects(std::size_t count, const Memory& memory) noexcept : bytes_(allocate_array(count * sizeof(T), memory)) {
    if (!bytes_) return;
    count_ = count;
    std::uninitialized_default_construct_n(data(), count_);
  }
  ~Objects() { std::destroy_n(data(), count_); }
  Objects(Objects&& other) noexcept : bytes_(std::move(other.bytes_)), count_(std::exchange(other.count_, 0)) {}
  Objects& operator=(Objects&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(count_, other.count_);
    return *this;
  }

  explicit operator bool() const noexcept { return bytes_ != nullptr; }
  std::size_t size() const noexcept { return count_; }
  T* data() const noexcept { return reinterpret_cast<T*>(bytes_.get()); }
  T& operator[](std::size_t i) const noexcept { return data()[i]; }
  std::span<T> span() const noexcept { return {data(), count_}; }

 private:
  static_assert(alignof(T) <= kCacheLine);
  ByteArray bytes_;
  std::size_t count_ = 0;
};

}  // namespace telescope::inline v1::detail
