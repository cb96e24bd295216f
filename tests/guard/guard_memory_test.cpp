// A guard's filter without memory for itself: an error, never a null pointer that looks like success.
#include <gtest/gtest.h>

#include <cstddef>
#include <new>

#include "../src/guard/shared_filter.hpp"

namespace {
thread_local int allocations_left = -1;  // before one fails; no limit if negative
}

// Replaces the form that `new (std::nothrow)` calls for types that are aligned to a cache line.
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  try {
    return ::operator new(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

namespace telescope::testing {
namespace {

// Its locks come first, and then the filter with its own.
TEST(SharedFilter, WithoutMemoryForAnyPartIsAnError) {
  for (int enough = 0;; ++enough) {
    auto filter = AnyFilter::create(FilterKind::taf, 8, {.slots = 128});
    ASSERT_TRUE(filter.ok());
    allocations_left = enough;
    const auto shared = detail::SharedFilter::create(std::move(*filter), {});
    allocations_left = -1;
    if (shared.ok()) {
      ASSERT_NE(*shared, nullptr) << enough;
      EXPECT_EQ((*shared)->slots(), 128u);
      EXPECT_GE(enough, 3);  // two arrays of locks, and itself
      return;
    }
    EXPECT_EQ(shared.error(), Error::no_memory) << enough;
  }
}

}  // namespace
}  // namespace telescope::testing
