// A cache of false positives to put before any filter: the k keys that were false positives most often, as far as a
// stream can tell with k entries (Space-Saving: a new key takes the place of the rarest and inherits its count).
//
// Keys are kept whole: a cache that took a member for a false positive would lose it. An entry is a key and a count of
// 16 bits, which is halved throughout when one is full, so that old fame fades.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace telescope::lab {

class TopK {
 public:
  static constexpr std::uint64_t kEntryBits = 64 + 16;

  explicit TopK(std::uint64_t bits) : capacity_(static_cast<std::size_t>(bits / kEntryBits)) {
    heap_.reserve(capacity_);
    where_.reserve(capacity_);
  }

  bool contains(std::uint64_t key) const noexcept { return where_.contains(key); }

  // The key was queried again, and the cache knew it.
  void hit(std::uint64_t key) {
    const std::size_t at = where_.at(key);
    if (++heap_[at].count == kMaxCount) halve();
    sink(at);
  }

  // The key was a false positive.
  void admit(std::uint64_t key) {
    if (capacity_ == 0 || contains(key)) return;
    if (heap_.size() < capacity_) {
      heap_.push_back({key, 1});
      where_[key] = heap_.size() - 1;
      rise(heap_.size() - 1);
      return;
    }
    where_.erase(heap_[0].key);
    heap_[0].key = key;
    where_[key] = 0;
    if (++heap_[0].count == kMaxCount) halve();
    sink(0);
  }

  // The key is a member from now on.
  void forget(std::uint64_t key) {
    const auto found = where_.find(key);
    if (found == where_.end()) return;
    const std::size_t at = found->second;
    where_.erase(found);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    heap_[at] = last;
    where_[last.key] = at;
    rise(at);
    sink(where_.at(last.key));
  }

  std::uint64_t bits() const noexcept { return capacity_ * kEntryBits; }
  std::size_t size() const noexcept { return heap_.size(); }

 private:
  static constexpr std::uint32_t kMaxCount = 0xffff;

  struct Entry {
    std::uint64_t key;
    std::uint32_t count;
  };

  void halve() noexcept {
    for (Entry& entry : heap_) entry.count /= 2;  // keeps the order of the heap
  }

  void exchange(std::size_t a, std::size_t b) {
    std::swap(heap_[a], heap_[b]);
    where_[heap_[a].key] = a;
    where_[heap_[b].key] = b;
  }

  void rise(std::size_t at) {
    for (; at > 0 && heap_[at].count < heap_[(at - 1) / 2].count; at = (at - 1) / 2) exchange(at, (at - 1) / 2);
  }

  void sink(std::size_t at) {
    for (;;) {
      std::size_t least = at;
      for (std::size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap_.size(); ++child) {
        if (heap_[child].count < heap_[least].count) least = child;
      }
      if (least == at) return;
      exchange(at, least);
      at = least;
    }
  }

  std::size_t capacity_;
  std::vector<Entry> heap_;  // the rarest first
  std::unordered_map<std::uint64_t, std::size_t> where_;
};

}  // namespace telescope::lab
