// Store: where the members are, all of them, with their values. The filter in front of it is a guess; the store is the
// truth.
//
// Records lie in order of the position word P of the key's hash, once and for all: order by P is order by quotient for
// a filter of any size, so the members of a quotient are one short range, and all members in order are one scan.
//
//   record   position P (64 bits), key bytes  -->  value bytes
//   as bytes big-endian P, then the key: bytewise order is the order of records      (store_key.hpp)
//
// A store knows nothing of hashes and filters. Models: MemoryStore, RocksDbStore, CallableStore (your own database in
// twenty lines), FaultyStore (for tests).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "telescope/failure.hpp"
#include "telescope/function_ref.hpp"

namespace telescope {
inline namespace v1 {

struct RecordKey {
  std::uint64_t position = 0;
  std::string_view key;
};

// What it points to lasts until the sink returns.
struct Record {
  std::uint64_t position = 0;
  std::string_view key;
  std::string_view value;
};

// One change: a record to put, or with no value one to erase.
struct Write {
  std::uint64_t position = 0;
  std::string_view key;
  std::optional<std::string_view> value;
};

// What is known about the set as a whole: a few named strings beside the records.
struct MetaWrite {
  std::string_view name;
  std::string_view value;
};

// True: go on.
using RecordSink = FunctionRef<bool(const Record&)>;

// Laws:
//   get, scan and get_meta see every write that has returned, and may be called by any number of threads, also during
//     writes. A scan visits each record of [first, last] once, in order of position and then of key bytes, unless the
//     sink stops it; writes that overlap with it may be in it or not. A sink does not call the store to write.
//   write applies its changes in order and all or none, but for an error: after one, any part of them may be there.
//   what has returned without an error is there after the process was killed; and if something is there, so is all that
//     returned before it was asked for. put_meta is on the disk, with all before it, when it returns.
//   errors have the code store_failed, or in_use, io_failed, corrupt, no_memory; never a record that is not there and
//     never "no such record" in place of an error.
template <class S>
concept Store = std::movable<S> &&
    requires(S store, const RecordKey& key, std::string& value, std::uint64_t position, RecordSink sink,
             std::span<const Write> writes, std::string_view name, std::span<const MetaWrite> meta) {
  { store.get(key, value) } -> std::same_as<Outcome<bool>>;  // false: no such record
  { store.scan(position, position, sink) } -> std::same_as<Outcome<void>>;
  { store.write(writes) } -> std::same_as<Outcome<void>>;
  { store.get_meta(name, value) } -> std::same_as<Outcome<bool>>;
  { store.put_meta(meta) } -> std::same_as<Outcome<void>>;
};

// A store may have more; without, the guard makes do with the five above.
//
//   get_many(keys, values, found)   Several gets in one go. values and found have an element for each key.
//   version()                       A number that every write, put_meta and ingest changes, or 0 if unknown. The same
//                                   after reopening, if nothing was written. Tells a store that was changed behind the
//                                   guard's back.
//   ingest(next)                    Adds many records at once, in order of position and then of key bytes, none of
//                                   which is there. All or none; see BulkSource. Out of order: the error `unordered`.
//   bytes()                         What the store takes of the disk, about.
template <class S>
concept BatchReadingStore = Store<S> &&
    requires(S store, std::span<const RecordKey> keys, std::span<std::string> values, std::span<std::uint8_t> found) {
  { store.get_many(keys, values, found) } -> std::same_as<Outcome<void>>;
};
template <class S>
concept VersionedStore = Store<S> && requires(S store) {
  { store.version() } -> std::same_as<std::uint64_t>;
};

// Yields the next record in order, or none at the end. What it points to lasts until the next call.
using BulkSource = FunctionRef<std::optional<Record>()>;
template <class S>
concept BulkStore = Store<S> && requires(S store, BulkSource next) {
  { store.ingest(next) } -> std::same_as<Outcome<void>>;
};
template <class S>
concept MeasuredStore = Store<S> && requires(S store) {
  { store.bytes() } -> std::same_as<std::uint64_t>;
};

}  // namespace v1
}  // namespace telescope
