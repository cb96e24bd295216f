// A guard's filter without memory for itself: an error, never a null pointer that looks like success.
#include <gtest/gtest.h>

#include <cstddef>
#include <new>

#include "../src/guard/shared_filter.hpp"

namespace {
thread_local bool nothrow_new_fails = false;
}

// Replaces the form that `new (std::nothrow)` calls for types that are aligned to a cache line.
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  if (nothrow_new_fails) return nullptr;
  try {
    return ::operator new(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

namespace telescope::testing {
namespace {

TEST(SharedFilter, WithoutMemoryForItselfIsAnError) {
  auto filter = AnyFilter::create(FilterKind::taf, 8, {.slots = 128});
  ASSERT_TRUE(filter.ok());
  nothrow_new_fails = true;
  const auto shared = detail::SharedFilter::create(std::move(*filter), {});
  nothrow_new_fails = false;
  ASSERT_FALSE(shared.ok());
  EXPECT_EQ(shared.error(), Error::no_memory);
}

TEST(SharedFilter, WithMemoryIsThere) {
  auto filter = AnyFilter::create(FilterKind::taf, 8, {.slots = 128});
  ASSERT_TRUE(filter.ok());
  const auto shared = detail::SharedFilter::create(std::move(*filter), {});
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ((*shared)->slots(), 128u);
}

}  // namespace
}  // namespace telescope::testing
