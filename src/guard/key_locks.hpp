// Writes to one key happen one after the other: the keys fall into a few classes, and each class has a mutex.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <mutex>
#include <span>

#include "telescope/detail/bits/race.hpp"
#include "telescope/detail/lock_order.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {

class KeyLocks {
 public:
  // The thread sanitizer stops a program that holds 64 mutexes at once.
  static constexpr std::size_t kClasses = bits::kThreadSanitizer ? 16 : 256;

  // Holds the mutexes of several keys. It takes them in order, so that no two holders wait for each other.
  class Held {
   public:
    Held(KeyLocks& locks, std::span<const Hash> keys) : locks_(locks) {
      for (const Hash& key : keys) held_.set(class_of(key));
      for (std::size_t i = 0; i < kClasses; ++i) {
        if (held_[i]) locks_.mutexes_[i].lock();
      }
    }
    ~Held() {
      for (std::size_t i = 0; i < kClasses; ++i) {
        if (held_[i]) locks_.mutexes_[i].unlock();
      }
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    KeyLocks& locks_;
    std::bitset<kClasses> held_;
  };

  RankedMutex<LockRank::keys>& of(const Hash& key) { return mutexes_[class_of(key)]; }

 private:
  static std::size_t class_of(const Hash& key) noexcept { return key.fingerprint % kClasses; }

  std::array<RankedMutex<LockRank::keys>, kClasses> mutexes_;
};

}  // namespace telescope::inline v1::detail
