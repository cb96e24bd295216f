// Lets any number of readers through, each for a moment, and can be closed for a moment.
//
// Readers count themselves in and out on a cache line that they share with few others, and look whether it is closed.
// Whoever closes it waits until all counts are zero. Sequential consistency does the rest: a reader who has not seen
// `closed_` has been counted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace telescope {
inline namespace v1 {
namespace detail {

inline constexpr std::size_t kStripes = 32;

// The same for all calls of a thread; threads are dealt out evenly.
inline std::size_t stripe_of_thread() noexcept {
  static std::atomic<std::size_t> next = 0;
  static thread_local const std::size_t stripe = next.fetch_add(1, std::memory_order_relaxed) % kStripes;
  return stripe;
}

class Turnstile {
 public:
  class Pass {
   public:
    explicit Pass(Turnstile& turnstile) noexcept : inside_(turnstile.stripes_[stripe_of_thread()].inside) {
      for (;;) {
        inside_.fetch_add(1);
        if (!turnstile.closed_.load()) return;
        inside_.fetch_sub(1);
        while (turnstile.closed_.load()) std::this_thread::yield();
      }
    }
    ~Pass() { inside_.fetch_sub(1, std::memory_order_release); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    std::atomic<std::uint32_t>& inside_;
  };

  class Closed {
   public:
    explicit Closed(Turnstile& turnstile) noexcept : turnstile_(turnstile), lock_(turnstile.mutex_) {
      turnstile_.closed_.store(true);
      for (Stripe& stripe : turnstile_.stripes_) {
        while (stripe.inside.load() != 0) std::this_thread::yield();
      }
    }
    ~Closed() { turnstile_.closed_.store(false); }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    Turnstile& turnstile_;
    std::lock_guard<std::mutex> lock_;
  };

 private:
  struct alignas(64) Stripe {
    std::atomic<std::uint32_t> inside = 0;
  };

  std::array<Stripe, kStripes> stripes_;
  std::atomic<bool> closed_ = false;
  std::mutex mutex_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
