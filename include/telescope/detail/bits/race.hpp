// What readers and writers who race on purpose need: fences, a pause, and a word with the thread sanitizer.
//
// An optimistic reader loads bytes that a writer may be storing, and throws away what it made of them if the writer's
// version moved (detail/block/regions.hpp). That is a race by the letter of the language, as for every such lock
// over plain memory. It is sound on real machines because no load decides an address twice: values that do are loaded
// once and are then opaque to the compiler (opaque), so that torn bytes give a wrong answer, never a wild address.
#pragma once

#include <atomic>

#if defined(__SANITIZE_THREAD__)
#define TELESCOPE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TELESCOPE_THREAD_SANITIZER 1
#endif
#endif

#if defined(TELESCOPE_THREAD_SANITIZER)
extern "C" void AnnotateIgnoreReadsBegin(const char* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char* file, int line);
#endif

namespace telescope::inline v1::detail::bits {

#if defined(TELESCOPE_THREAD_SANITIZER)
inline constexpr bool kThreadSanitizer = true;

// The sanitizer knows no fences, and compilers warn of them. It needs none to judge: writers are ordered by their
// mutexes, and the reads of readers are ignored.
inline void hardware_fence() noexcept {
#if defined(__x86_64__)
  std::atomic_signal_fence(std::memory_order_seq_cst);  // loads stay before loads and stores before stores
#elif defined(__aarch64__)
  __asm__ volatile("dmb ish" ::: "memory");
#else
#error "no fence for the thread sanitizer on this machine"
#endif
}
inline void acquire_fence() noexcept { hardware_fence(); }
inline void release_fence() noexcept { hardware_fence(); }

// While it lives, loads of this thread are not reported; its stores, and other threads' loads, are.
class IgnoreReads {
 public:
  IgnoreReads() noexcept { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }
  ~IgnoreReads() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
  IgnoreReads(const IgnoreReads&) = delete;
  IgnoreReads& operator=(const IgnoreReads&) = delete;
};
#else
inline constexpr bool kThreadSanitizer = false;

inline void acquire_fence() noexcept { std::atomic_thread_fence(std::memory_order_acquire); }
inline void release_fence() noexcept { std::atomic_thread_fence(std::memory_order_release); }

struct [[maybe_unused]] IgnoreReads {};
#endif

// Between two looks at what another thread is about to change.
inline void pause() noexcept {
#if defined(__GNUC__) && defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace telescope::inline v1::detail::bits
