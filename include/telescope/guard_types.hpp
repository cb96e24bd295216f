// What a guard is made of, and what it tells.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"
#include "telescope/kind.hpp"
#include "telescope/options.hpp"

namespace telescope {
inline namespace v1 {

// What is decided once, when a set is created, and kept in its store.
struct SetOptions {
  FilterKind filter = FilterKind::taf;
  unsigned bits = 8;  // of a remainder, 4 to 16: a fresh negative is a false positive with probability 2^-bits at most
  HashKind hash = HashKind::xxh3;
  std::optional<Secret> secret{};    // random, unless a test needs it to be known
  std::uint64_t capacity = 1 << 16;  // members that the first filter has room for; it grows by itself
};

// Told while the filter is made from the store.
struct RebuildProgress {
  std::uint64_t members = 0;   // so far
  std::uint64_t expected = 0;  // about; 0 if unknown
  double done = 0;             // of the position space, 0 to 1
};

// What may differ from one opening to the next.
struct GuardOptions {
  std::filesystem::path snapshot{};  // where save() writes and open() looks; empty: nowhere
  double max_load = 0.95;            // the filter starts to grow rather than pass this
  double growth = 2;                 // to so many times its slots
  // Adapts per second that queries may cause, on average and in a burst; 0: as many as there are false positives. Each
  // costs a range scan, and an adapt withheld costs the next query for the same key a store read.
  double adapts_per_second = 0;
  double adapt_burst = 1000;
  // The latest false positives are remembered, 8 bytes each, to tell which ones repeat.
  std::uint64_t remembered = 1 << 14;
  std::pmr::memory_resource* memory = nullptr;  // of the filter; see FilterOptions
  std::function<void(const RebuildProgress&)> progress{};
};

// A member.
struct Entry {
  std::string_view key;
  std::string_view value;
};
using EntrySink = FunctionRef<bool(const Entry&)>;

// Sums since the guard was opened.
struct GuardCounters {
  std::uint64_t queries = 0;           // keys asked for by contains and get
  std::uint64_t filter_negatives = 0;  // of these, answered by the filter alone: store reads saved
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t repeated_false_positives = 0;  // of these, for a key that is among the remembered ones
  std::uint64_t store_reads = 0;               // point reads, for queries and for writes
  std::uint64_t scans = 0;                     // range scans, for adapts and overflows
  std::uint64_t writes = 0;                    // records put or erased
  std::uint64_t adapts = 0;
  std::uint64_t adapts_withheld = 0;  // by the rate limit
  std::uint64_t overflows = 0;        // codes that a change did not fit
  std::uint64_t evictions = 0;        // letters set back to zero for that
  std::uint64_t growths = 0;
  std::uint64_t store_errors = 0;
  std::uint64_t doubts = 0;  // keys, now, of which only the store can tell after a failed write
};

struct GuardInfo {
  SetOptions set;  // with the secret
  std::uint64_t members = 0;
  std::uint64_t slots = 0;
  std::uint64_t filter_bytes = 0;  // of both filters, while it grows
  std::uint64_t store_bytes = 0;   // 0: unknown
  double load = 0;
  bool growing = false;
  bool from_snapshot = false;  // the filter was loaded, not rebuilt, when the set was opened
  std::string opened;          // why it was rebuilt, or which file it came from
};

struct VerifyReport {
  std::uint64_t members = 0;            // in the store
  std::uint64_t slots_used = 0;         // in the filter
  std::uint64_t lost = 0;               // members that the filter calls absent
  std::vector<std::string> problems{};  // what is wrong, the first few; empty if nothing is
  bool ok() const noexcept { return problems.empty(); }
};

}  // namespace v1
}  // namespace telescope
