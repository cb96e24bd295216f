// Guard: an exact set with values. A filter in memory answers most queries for absent keys; a store has the members.
//
//   auto guard = *Guard::create(std::move(store), {.capacity = 1'000'000});
//   guard.insert("key", "value");
//   guard.contains("other");      // an absent key costs a store read with probability 2^-width, and that only once
//
//   query --> filter --no--> absent
//               |maybe
//             store --found--> present
//               |no such record
//             adapt: one range scan; the filter will not say "maybe" to this key again --> absent
//
// The store is authoritative. Every call returns the correct answer or an error; uncertainty is never reported as
// "absent", and a failed operation leaves the filter unchanged. If a write fails, the guard does not know whether the
// store applied it: it consults the store for that key until the store answers. A store whose log has failed cannot
// answer before it is opened again (see settled() in store.hpp); what depends on the key then fails with store_failed.
//
// A write that has returned success is seen by every call that starts later. While it is under way each call may see it
// or not, a later one not although an earlier one has.
//
// Crashes. One scan of the store makes the filter anew. A snapshot of it is used only if it belongs to the store's
// exact state: save() puts a name for the state into both, and the first write afterwards removes it from the store.
//
// Errors. Every function that returns an Outcome fails as the store does (see store.hpp), with no_memory, and with
// disagree if filter and store do not match, which rebuild() repairs. Other errors are named where they belong.
//
// Threads. Any number of threads may call any of the functions, but for move and destruction. A query waits for nobody
// but, while the filter grows, for short steps that do no I/O. Writes of different keys overlap.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "telescope/any_store.hpp"
#include "telescope/guard_types.hpp"

namespace telescope::inline v1 {

namespace detail {
class GuardCore;
}

class Guard {
 public:
  // Creates a set in a store that holds none. Fails with bad_argument if the store holds one, or if an option is out of
  // its bounds.
  static Outcome<Guard> create(AnyStore store, const SetOptions& set, const GuardOptions& options = {});
  // Opens the set that a store holds. Loads the filter from the snapshot if that belongs to the store's state; else it
  // makes the filter by a scan of the store, and reports progress. Fails with foreign if the store holds no set, with
  // newer or corrupt if it cannot be read, and with bad_argument.
  static Outcome<Guard> open(AnyStore store, const GuardOptions& options = {});

  Guard(Guard&&) noexcept;
  Guard& operator=(Guard&&) noexcept;
  ~Guard();  // does not save: call close() before

  // Returns whether the key is a member. Costs a store read if the filter says "maybe", and then a range scan if the
  // key is not there.
  Outcome<bool> contains(std::string_view key);
  // As contains; also reads the member's value. `value` is left alone unless the result is true.
  Outcome<bool> get(std::string_view key, std::string& value);
  // Returns true if the key is new. If it was there, its value is replaced, and the filter does not change. Costs a
  // store write, and a store read if the filter says "maybe".
  Outcome<bool> insert(std::string_view key, std::string_view value = {});
  // Returns whether the key was there. Costs a range scan, and a store read and a store write.
  Outcome<bool> erase(std::string_view key);

  // The same for several keys at once. `present` and `values` must have an element for each key. insert returns how
  // many keys were new, erase how many were there. After an error any part of the batch may have been done.
  Outcome<void> contains(std::span<const std::string_view> keys, std::span<std::uint8_t> present);
  Outcome<void> get(std::span<const std::string_view> keys, std::span<std::string> values,
                    std::span<std::uint8_t> present);
  Outcome<std::uint64_t> insert(std::span<const Entry> entries);
  Outcome<std::uint64_t> erase(std::span<const std::string_view> keys);

  // Shows the sink every member with its value, in order of position, until the sink returns false. It shows what the
  // store holds: of a write that is under way, any part, before contains finds it or after.
  Outcome<void> each(EntrySink sink);

  // Adapts on keys that are expected in queries and are not members, before the first query for them comes. Members
  // among the keys do no harm. Returns how many false positives were repaired.
  Outcome<std::uint64_t> preload_negatives(std::span<const std::string_view> keys);

  // Writes the snapshot, if GuardOptions::snapshot names a file, so that a later open finds the filter with all it has
  // learned. Does nothing if neither a write nor an adapt came since the last one. Fails with io_failed. Writes wait.
  Outcome<void> save();
  // As save. Call it before the guard is destroyed.
  Outcome<void> close();

  // Makes the filter anew from the store, with no letters: the remedy for disagree. Writes wait.
  Outcome<void> rebuild();
  // Moves the members to a filter with another number of slots, with their letters. Fails with bad_argument unless that
  // is a multiple of 64, and with full if the members do not fit. Other calls go on meanwhile.
  Outcome<void> resize(std::uint64_t slots);
  // Checks that every invariant of the filter holds, that it finds every member, and that members match slots. Returns
  // what it found. Scans the whole store. Writes wait.
  Outcome<VerifyReport> verify();

  // What these three return may be out of date by the time it is read.
  GuardInfo info() const;
  GuardCounters counters() const;
  // Returns how many slots have letter i, for each i; the last element counts all larger letters.
  std::array<std::uint64_t, 16> letters() const;

 private:
  explicit Guard(std::unique_ptr<detail::GuardCore> core) noexcept;

  std::unique_ptr<detail::GuardCore> core_;
};

// Returns the counters and sizes in the text format of Prometheus. `labels` goes between the braces, e.g. set="users".
std::string to_prometheus(const GuardCounters& counters, const GuardInfo& info, std::string_view labels = {});

}  // namespace telescope::inline v1
