// A shared mutex under which nobody starves: who waits for it alone keeps the door shut to those who come later.
// (POSIX's prefers those who share it, for ever if they overlap.)
#pragma once

#include <mutex>
#include <shared_mutex>

namespace telescope {
inline namespace v1 {
namespace detail {

class FairMutex {
 public:
  void lock() {
    const std::lock_guard door(door_);
    room_.lock();
  }
  void unlock() { room_.unlock(); }
  void lock_shared() {
    const std::lock_guard door(door_);
    room_.lock_shared();
  }
  void unlock_shared() { room_.unlock_shared(); }

 private:
  std::mutex door_;
  std::shared_mutex room_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
