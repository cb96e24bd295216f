// Zeroed memory for arrays that are read at random: on huge pages where the system has them to give.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace telescope {
inline namespace v1 {
namespace detail {

// A random read of a large array on small pages misses the TLB as well as the cache.
inline constexpr std::size_t kHugePage = std::size_t{1} << 21;
inline constexpr std::size_t kCacheLine = 64;

struct FreeArray {
  std::align_val_t alignment{kCacheLine};
  void operator()(std::byte* p) const noexcept { ::operator delete[](p, alignment); }
};
using ByteArray = std::unique_ptr<std::byte[], FreeArray>;

// Null when there is no memory.
inline ByteArray allocate_zeroed(std::size_t bytes) noexcept {
  const bool huge = bytes >= 2 * kHugePage;
  const std::align_val_t alignment{huge ? kHugePage : kCacheLine};
  ByteArray array(static_cast<std::byte*>(::operator new[](bytes, alignment, std::nothrow)), FreeArray{alignment});
  if (!array) return array;
#if defined(__linux__)
  // Advice: a system that refuses serves small pages.
  if (huge) (void)::madvise(array.get(), bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  std::memset(array.get(), 0, bytes);
  return array;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
