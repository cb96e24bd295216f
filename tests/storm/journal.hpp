// Journal: what a storm knows about each key. It lies in memory that several processes share, so that it outlives one
// that is killed.
//
// Each key belongs to one writer, so its history is a sequence: a write is begun, and then it is acknowledged, or it
// has failed and may have been done or not. Values are numbers, 0 for "not there".
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace telescope::storm {

class Journal {
 public:
  explicit Journal(std::uint32_t keys) : keys_(keys) {
    void* const memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::perror("mmap"), std::exit(2);
    totals_ = new (memory) Totals;
    cells_ = new (totals_ + 1) Cell[keys];
  }
  ~Journal() { ::munmap(totals_, bytes()); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  std::uint32_t keys() const noexcept { return keys_; }
  static std::string name(std::uint32_t key) { return "key" + std::to_string(key); }
  static std::string text(std::uint32_t key, std::uint32_t value) {
    return std::to_string(value) + " of " + std::to_string(key);
  }

  // For the writer of the key.
  void begin(std::uint32_t key, std::uint32_t value) noexcept {
    Cell& cell = cells_[key];
    cell.stamp.fetch_add(1);  // odd: a write is under way
    cell.other.store(value);
  }
  void acknowledge(std::uint32_t key) noexcept {
    Cell& cell = cells_[key];
    cell.now.store(cell.other.load());
    cell.stamp.fetch_add(1);
  }
  void fail(std::uint32_t key) noexcept { cells_[key].stamp.fetch_add(1); }
  // The store has told, or the process was killed and the set was opened again.
  void settle(std::uint32_t key, std::uint32_t value) noexcept {
    Cell& cell = cells_[key];
    cell.stamp.fetch_or(1);
    cell.now.store(value);
    cell.other.store(value);
    cell.stamp.fetch_add(1);
  }
  bool certain(std::uint32_t key) const noexcept { return cells_[key].now.load() == cells_[key].other.load(); }
  std::uint32_t value(std::uint32_t key) const noexcept { return cells_[key].now.load(); }
  std::uint32_t other(std::uint32_t key) const noexcept { return cells_[key].other.load(); }

  // For whoever asks: look() before, and may_be() with the answer. While a write is under way any answer may be right.
  std::uint64_t look(std::uint32_t key) const noexcept { return cells_[key].stamp.load(); }
  bool may_be(std::uint32_t key, std::uint64_t before, std::uint32_t value) noexcept {
    Cell& cell = cells_[key];
    const std::uint32_t now = cell.now.load(), other = cell.other.load();
    if (before % 2 != 0 || cell.stamp.load() != before) return true;
    if (value != now && value != other) return false;
    if (now == other) return true;
    // In doubt: the first answer settles it for all. It bears the stamp of its doubt, because whoever comes here late
    // must not answer for a later one.
    const std::uint64_t answer = before << 32 | value;
    std::uint64_t seen = cell.seen.load();
    while (seen >> 32 != (before & 0xffffffff)) {
      if (cell.stamp.load() != before || cell.seen.compare_exchange_weak(seen, answer)) return true;
    }
    return seen == answer || cell.stamp.load() != before;
  }
  // Whether the key can have this value after the process was killed.
  bool may_have_become(std::uint32_t key, std::uint32_t value) const noexcept {
    return value == cells_[key].now.load() || value == cells_[key].other.load();
  }

  // Of all lives.
  struct Totals {
    std::atomic<std::uint64_t> operations = 0, errors = 0, faults = 0, doubts = 0, violations = 0;
    std::atomic<std::uint32_t> next_value = 1;
  };
  Totals& totals() noexcept { return *totals_; }

 private:
  struct Cell {
    std::atomic<std::uint64_t> stamp = 0;
    std::atomic<std::uint32_t> now = 0;    // what it has
    std::atomic<std::uint32_t> other = 0;  // what it may have instead
    std::atomic<std::uint64_t> seen = 0;   // the stamp of a doubt, and what somebody was answered then
  };
  std::size_t bytes() const noexcept { return sizeof(Totals) + keys_ * sizeof(Cell); }

  std::uint32_t keys_;
  Totals* totals_;
  Cell* cells_;
};

}  // namespace telescope::storm
