// Data that many threads write at once is kept in stripes, each on a cache line of its own; a thread uses one of them.
#pragma once

#include <atomic>
#include <cstddef>

namespace telescope::inline v1::detail {

inline constexpr std::size_t kStripes = 32;

// Returns the stripe of the calling thread, always the same. Threads take turns, so that stripes are shared evenly.
inline std::size_t stripe_of_thread() noexcept {
  static std::atomic<std::size_t> next = 0;
  static thread_local const std::size_t stripe = next.fetch_add(1, std::memory_order_relaxed) % kStripes;
  return stripe;
}

}  // namespace telescope::inline v1::detail
