#include <unistd.h>

#include <atomic>
#include <chrono>

#include "telescope/detail/hash/xxh3_word.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1 {
namespace {

// Returns a secret that is only different from one call to the next. That is better than an exception from a
// constructor's default argument.
Secret improvised() noexcept {
  static std::atomic<std::uint64_t> calls{0};
  const auto ticks = static_cast<std::uint64_t>(std::chrono::high_resolution_clock::now().time_since_epoch().count());
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&ticks));
  const detail::Words words = detail::xxh3_word(ticks, detail::xxh3_word_flip(address + ++calls));
  return {.words = {words.low, words.high}};
}

}  // namespace

Secret Secret::random() noexcept {
  Secret secret;
  return getentropy(secret.words.data(), sizeof(secret.words)) == 0 ? secret : improvised();
}

}  // namespace telescope::inline v1
