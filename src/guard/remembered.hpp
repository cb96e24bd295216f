// The latest false positives, to tell which ones repeat: a table with one word for each, in which a later one may
// overwrite an earlier one. What it calls a repeat is one; some repeats it misses. Thread-safe, without locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {

class Remembered {
 public:
  explicit Remembered(std::uint64_t count)
      : count_(count), words_(std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(count))) {}

  // Returns whether the key was there, and enters it.
  bool repeats(const Hash& hash) noexcept {
    if (count_ == 0) return false;
    const std::uint64_t word = hash.fingerprint == 0 ? 1 : hash.fingerprint;
    return words_[hash.position % count_].exchange(word, std::memory_order_relaxed) == word;
  }

 private:
  std::uint64_t count_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
};

}  // namespace telescope::inline v1::detail
