// A gate stands between an operation's plan and its commit: the frame passes it right before the first store, and says
// which blocks it is about to write. The plain filter's is always open and costs nothing; a concurrent filter's tells
// its readers (detail/concurrent/version_gate.hpp), and asks the caller before a member comes or goes.
#pragma once

#include <cstdint>
#include <span>

#include "telescope/detail/update/edit.hpp"
#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

struct OpenGate {
  struct Writing {};

  // Nothing can fail any more but this: an error, and the operation has not happened.
  static constexpr Status ready() noexcept { return {}; }

  // Until the result dies, the caller writes to blocks [first, last], numbered without wrapping, and to the slots of
  // the rewrites, which lie at `first` or behind it in the ring.
  static Writing writing(std::uint64_t /*first*/, std::uint64_t /*last*/, std::span<const Rewrite> = {}) noexcept {
    return {};
  }

  // The number of members.
  static std::uint64_t count(const std::uint64_t& size) noexcept { return size; }
  static void add(std::uint64_t& size, std::int64_t members) noexcept { size += static_cast<std::uint64_t>(members); }
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
