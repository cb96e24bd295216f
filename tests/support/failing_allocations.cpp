#include "support/failing_allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace telescope::testing {
namespace {

thread_local long allocations_left = -1;  // before one fails; none does if negative
thread_local bool later_ones_too = false;
thread_local bool failed_one = false;

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allocations_left == 0) {
    if (!later_ones_too) allocations_left = -1;
    failed_one = true;
    return nullptr;
  }
  if (allocations_left > 0) --allocations_left;
  return std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}
void* or_throw(void* memory) { return memory != nullptr ? memory : throw std::bad_alloc(); }
constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

FailingAllocation::FailingAllocation(long enough, bool lasts) noexcept {
  failed_one = false;
  later_ones_too = lasts;
  allocations_left = enough;
}
FailingAllocation::~FailingAllocation() { allocations_left = -1; }
bool FailingAllocation::happened() noexcept { return failed_one; }

void* FailingResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  return ::operator new(bytes, std::align_val_t(alignment));
}
void FailingResource::do_deallocate(void* memory, std::size_t, std::size_t alignment) {
  ::operator delete(memory, std::align_val_t(alignment));
}

}  // namespace telescope::testing

// All forms that may throw or not, so that what one of them gives any other may take back. Those for arrays call these.
using telescope::testing::allocate;
using telescope::testing::kUsual;
using telescope::testing::or_throw;

void* operator new(std::size_t bytes) { return or_throw(allocate(bytes, kUsual)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return or_throw(allocate(bytes, static_cast<std::size_t>(alignment)));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, kUsual); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
