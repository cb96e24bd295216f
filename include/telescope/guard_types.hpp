// The options of a guard, and what it reports.
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

namespace telescope::inline v1 {

// What is decided once, when a set is created, and kept in its store.
struct SetOptions {
  FilterKind filter = FilterKind::taf;
  // Bits of a remainder, AnyFilter::kMinWidth to kMaxWidth. A negative that was never asked for before is a false
  // positive with a probability of 2^-width at most.
  unsigned width = 8;
  HashKind hash = HashKind::xxh3;
  std::optional<Secret> secret{};    // random if there is none; only a test needs to know it
  std::uint64_t capacity = 1 << 16;  // members that the first filter has room for; it grows by itself
};

// Reported while the filter is made from the store, and while it is verified.
struct RebuildProgress {
  std::uint64_t members = 0;   // seen so far
  std::uint64_t expected = 0;  // about how many there are, 0 if unknown
  double done = 0;             // share of the positions seen, 0 to 1
};

// What may differ from one opening to the next.
struct GuardOptions {
  std::filesystem::path snapshot{};  // the file that save() writes and open() reads; none if empty
  double max_load = 0.95;            // in (0, 1): the filter starts to grow before it passes this load
  double growth = 2;                 // in (1, 16]: the factor by which its slots grow
  // How many adapts per second queries may cause on average, and in a burst. 0 means as many as there are false
  // positives. An adapt costs a range scan; an adapt withheld costs the next query for the same key a store read.
  double adapts_per_second = 0;
  double adapt_burst = 1000;
  // The most members that a query's adapt fetches; 0 means any number. Ordinary runs have less than 20 members. One
  // that somebody has made longer, who knows the secret, is left alone: a false positive there costs a store read,
  // again and again, but no scan.
  std::uint64_t max_adapt_run = 512;
  // How many of the latest false positives are remembered, at 8 bytes each, to count those that repeat. Up to 2^28.
  std::uint64_t remembered = 1 << 14;
  std::pmr::memory_resource* memory = nullptr;  // of the filter; see FilterOptions
  std::function<void(const RebuildProgress&)> progress{};
};

// A member and its value.
struct Entry {
  std::string_view key;
  std::string_view value;
};
// Returns whether the iteration should go on.
using EntrySink = FunctionRef<bool(const Entry&)>;

// Sums since the guard was opened, but for `doubts`.
struct GuardCounters {
  std::uint64_t queries = 0;                   // keys asked for by contains and get
  std::uint64_t filter_negatives = 0;          // queries that the filter alone answered: store reads saved
  std::uint64_t true_positives = 0;            // queries for members
  std::uint64_t false_positives = 0;           // queries that the store was asked in vain
  std::uint64_t repeated_false_positives = 0;  // false positives that were among the remembered ones
  std::uint64_t store_reads = 0;               // point reads, for queries and for writes
  std::uint64_t scans = 0;                     // range scans, for adapts and overflows
  std::uint64_t writes = 0;                    // records put or erased
  std::uint64_t adapts = 0;                    // false positives repaired
  std::uint64_t adapts_withheld = 0;           // false positives that the rate limit left as they are
  std::uint64_t adapts_too_long = 0;           // false positives in runs of more members than max_adapt_run
  std::uint64_t overflows = 0;                 // codes that a change did not fit
  std::uint64_t evictions = 0;                 // letters that overflows set back to zero
  std::uint64_t growths = 0;                   // times that the filter began to grow
  std::uint64_t store_errors = 0;              // operations that the store failed
  std::uint64_t doubts = 0;                    // keys that are in doubt now, after writes that failed
};

struct GuardInfo {
  SetOptions set;  // with the secret
  std::uint64_t members = 0;
  std::uint64_t slots = 0;
  std::uint64_t filter_bytes = 0;  // of both filters while it grows
  std::uint64_t store_bytes = 0;   // 0 if unknown
  double load = 0;                 // members per slot
  bool growing = false;
  bool from_snapshot = false;  // the filter was loaded from the snapshot when the set was opened
  // Which file the filter came from, or why it was made from the store. Valid as long as the guard is.
  std::string_view opened;
};

struct VerifyReport {
  std::uint64_t members = 0;            // in the store
  std::uint64_t slots_used = 0;         // in the filter
  std::uint64_t lost = 0;               // members that the filter calls absent
  std::vector<std::string> problems{};  // the first few; empty if filter and store are sound and agree
  bool ok() const noexcept { return problems.empty(); }
};

}  // namespace telescope::inline v1
