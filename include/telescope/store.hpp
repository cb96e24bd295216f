// Store: where all members are, with their values. The filter in front of it is approximate; the store is
// authoritative.
//
// Records are in order of the position word P of the key's hash, whatever the size of the filter. Order by P is order
// by quotient, so the members of a quotient are one short range, and all members in order are one scan.
//
//   record   position P (64 bits), key bytes  -->  value bytes
//   as bytes big-endian P, then the key: bytewise order is the order of records      (store_key.hpp)
//
// A store knows nothing of hashes and filters. Models: MemoryStore, RocksDbStore, CallableStore (your own database),
// AnyStore (any of them, chosen at run time), FaultyStore (for tests).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "telescope/failure.hpp"
#include "telescope/function_ref.hpp"

namespace telescope::inline v1 {

// The views in these structs are not owned. Those of a Record that a store hands out are valid until the sink returns.
struct RecordKey {
  std::uint64_t position = 0;
  std::string_view key;
};
struct Record {
  std::uint64_t position = 0;
  std::string_view key;
  std::string_view value;
};

// One change: puts a record, or erases it if there is no value.
struct Write {
  std::uint64_t position = 0;
  std::string_view key;
  std::optional<std::string_view> value;
};

// One of the named strings that a store keeps beside its records, about the set as a whole.
struct MetaWrite {
  std::string_view name;
  std::string_view value;
};

// Returns whether the scan should go on.
using RecordSink = FunctionRef<bool(const Record&)>;

// get(key, value)       Returns whether there is such a record, and sets `value` to its value if there is.
// scan(first, last, sink)
//                       Shows the sink each record from position first to last, both included, once, in order of
//                       position and then of key bytes, until the sink returns false. Writes that overlap with the scan
//                       may be in it or not. A sink may read the store but must not write to it.
// write(writes)         Applies the changes in order, all or none. If it fails, any part of them may have been applied.
// get_meta(name, value), put_meta(writes)
//                       The same as get and write, for the named strings.
//
// Laws:
//   Thread-safety. Any number of threads may call get, scan and get_meta, also while others write. Each sees all writes
//     that have returned.
//   Durability. A write that returned success survives kill -9. If a write survives, so does every write that returned
//     before it started. put_meta returns when it is on the disk, with all writes before it.
//   Errors have the code store_failed, in_use, io_failed, corrupt or no_memory. A store never reports a record that it
//     does not hold, and never reports "no such record" in place of an error.
template <class S>
concept Store = std::movable<S> &&
    requires(S store, const RecordKey& key, std::string& value, std::uint64_t position, RecordSink sink,
             std::span<const Write> writes, std::string_view name, std::span<const MetaWrite> meta) {
  { store.get(key, value) } -> std::same_as<Outcome<bool>>;
  { store.scan(position, position, sink) } -> std::same_as<Outcome<void>>;
  { store.write(writes) } -> std::same_as<Outcome<void>>;
  { store.get_meta(name, value) } -> std::same_as<Outcome<bool>>;
  { store.put_meta(meta) } -> std::same_as<Outcome<void>>;
};

// A store may have more; without, the guard makes do with the five above.
//
//   contains(key)                   Returns whether there is such a record, without copying its value.
//   get_many(keys, values, found)   Several gets in one call. `found` has an element for each key; `values` has too, or
//                                   is empty if the values are not wanted.
//   version()                       Returns a number that every write, put_meta and ingest changes, or 0 if unknown. It
//                                   is the same after reopening if nothing was written. By it the guard notices a store
//                                   that was changed by somebody else.
//   ingest(next)                    Adds many records at once, all or none. They must come in order of position, then
//                                   of key bytes, else it fails with unordered; none of them may be there already.
//   bytes()                         Returns about how many bytes the store takes, 0 if unknown.
//   settled()                       Returns whether what get and scan say is what a later reopening will find. False
//                                   after a write failed in a way that may come true later (an error in the store's
//                                   log), until the store has been opened again. It is false already when that write
//                                   returns, and any number of threads may ask.
template <class S>
concept MembershipStore = Store<S> && requires(S store, const RecordKey& key) {
  { store.contains(key) } -> std::same_as<Outcome<bool>>;
};
template <class S>
concept BatchReadingStore = Store<S> &&
    requires(S store, std::span<const RecordKey> keys, std::span<std::string> values, std::span<std::uint8_t> found) {
  { store.get_many(keys, values, found) } -> std::same_as<Outcome<void>>;
};
template <class S>
concept VersionedStore = Store<S> && requires(S store) {
  { store.version() } -> std::same_as<std::uint64_t>;
};

// Returns the next record in order, or none at the end. The views in it must be valid until the next call.
using BulkSource = FunctionRef<std::optional<Record>()>;
template <class S>
concept BulkStore = Store<S> && requires(S store, BulkSource next) {
  { store.ingest(next) } -> std::same_as<Outcome<void>>;
};
template <class S>
concept MeasuredStore = Store<S> && requires(S store) {
  { store.bytes() } -> std::same_as<std::uint64_t>;
};
template <class S>
concept SettlingStore = Store<S> && requires(S store) {
  { store.settled() } -> std::same_as<bool>;
};

}  // namespace telescope::inline v1
