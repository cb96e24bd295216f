// Guard: a set with values, exact, that asks its store only when it must.
//
//   auto guard = *Guard::create(std::move(store), {.capacity = 1'000'000});
//   guard.insert("key", "value");
//   guard.contains("other");      // "surely absent" costs no store read; a false positive costs one, once
//
//   query --> filter --no--> absent
//               |maybe
//             store --found--> present
//               |no such record
//             adapt: one range scan; the filter will not say "maybe" to this key again --> absent
//
// The store is the truth. Whatever fails, an answer is right or it is an error: doubt never means "absent", and an
// operation that returns an error has left the filter as it was. After a write that failed nobody knows whether the
// store took it; until the store says, the guard asks it about that key every time.
//
// Crashes: the filter can always be made from the store, by one scan. A snapshot of it is used only if it belongs to
// the store's exact state: save() names the state in both, and the first write after it takes the name out of the
// store.
//
// Thread-safe. Readers wait for nobody but, while the filter grows, for short steps; writers of different keys overlap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "telescope/any_store.hpp"
#include "telescope/guard_types.hpp"

namespace telescope {
inline namespace v1 {

namespace detail {
class GuardCore;
}

class Guard {
 public:
  // A new set in a store that holds none (else bad_argument).
  static Outcome<Guard> create(AnyStore store, const SetOptions& set, const GuardOptions& options = {});
  // The set that a store holds (else foreign). Takes the snapshot if it fits, else scans the store, and tells progress.
  static Outcome<Guard> open(AnyStore store, const GuardOptions& options = {});

  Guard(Guard&&) noexcept;
  Guard& operator=(Guard&&) noexcept;
  ~Guard();  // saves nothing; see close()

  Outcome<bool> contains(std::string_view key);
  // False: absent, and the value is as it was.
  Outcome<bool> get(std::string_view key, std::string& value);
  // True: the key is new. False: it was there; its value is replaced, and no bit of the filter moves.
  Outcome<bool> insert(std::string_view key, std::string_view value = {});
  // True: it was there.
  Outcome<bool> erase(std::string_view key);

  // Batches. Each span has an element for each key. After an error some of the batch may be done, none of it is
  // promised.
  Outcome<void> contains(std::span<const std::string_view> keys, std::span<std::uint8_t> present);
  Outcome<void> get(std::span<const std::string_view> keys, std::span<std::string> values,
                    std::span<std::uint8_t> present);
  Outcome<std::uint64_t> insert(std::span<const Entry> entries);         // how many keys were new
  Outcome<std::uint64_t> erase(std::span<const std::string_view> keys);  // how many were there

  // Every member with its value, in order of position, until the sink says false. Sees what was there when it began;
  // what is written meanwhile it may see or not.
  Outcome<void> each(EntrySink sink);

  // Adapts on keys that are known to be asked for and not to be there: before the first query comes, not after.
  // How many false positives it repaired. Members among the keys do no harm.
  Outcome<std::uint64_t> preload_negatives(std::span<const std::string_view> keys);

  // Writes the snapshot, if options named a file for it; a later open finds all as it is now, adapts included.
  // Writers wait. Without a write or an adapt since the last one there is nothing to do.
  Outcome<void> save();
  // save(), then nothing but destruction is left to do.
  Outcome<void> close();

  // The filter anew from the store, with no letters. For a filter and a store that disagree.
  Outcome<void> rebuild();
  // To another number of slots (any multiple of 64 with room for all members), letters kept. Others go on meanwhile.
  Outcome<void> resize(std::uint64_t slots);
  // Checks every invariant of the filter, that it finds every member, and that members match slots. Writers wait.
  Outcome<VerifyReport> verify();

  GuardInfo info() const;
  GuardCounters counters() const;
  // letters[i]: slots with letter i; the last element counts all larger ones.
  std::vector<std::uint64_t> letters() const;

 private:
  explicit Guard(std::unique_ptr<detail::GuardCore> core) noexcept;

  std::unique_ptr<detail::GuardCore> core_;
};

// The counters and sizes in the text format of Prometheus. `labels` goes between the braces, e.g. set="users".
std::string to_prometheus(const GuardCounters& counters, const GuardInfo& info, std::string_view labels = {});

}  // namespace v1
}  // namespace telescope
