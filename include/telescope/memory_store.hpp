// MemoryStore: a store in memory, an ordered map under one lock. For tests, and for sets that are small and need not
// outlive the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "telescope/store.hpp"

namespace telescope::inline v1 {

// Thread-safe, but for assignment, move and destruction. Fails with no_memory, and ingest with unordered, and for no
// other reason.
class MemoryStore {
 public:
  MemoryStore();
  MemoryStore(const MemoryStore& other);  // the two share nothing
  MemoryStore(MemoryStore&& other) noexcept;
  MemoryStore& operator=(const MemoryStore& other);
  MemoryStore& operator=(MemoryStore&& other) noexcept;
  ~MemoryStore();

  // The operations and their laws: see store.hpp.
  Outcome<bool> get(const RecordKey& key, std::string& value) const;
  Outcome<bool> contains(const RecordKey& key) const;
  // The sink runs without the lock, so that a long scan does not hold up writers.
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) const;
  Outcome<void> write(std::span<const Write> writes);
  Outcome<bool> get_meta(std::string_view name, std::string& value) const;
  Outcome<void> put_meta(std::span<const MetaWrite> writes);

  std::uint64_t version() const;
  Outcome<void> ingest(BulkSource next);
  std::uint64_t bytes() const;  // of positions, keys and values, without what the map adds
  std::size_t size() const;     // how many records there are

 private:
  struct State;
  std::unique_ptr<State> state_;  // null only after a move
};

static_assert(MembershipStore<MemoryStore> && VersionedStore<MemoryStore> && BulkStore<MemoryStore> &&
              MeasuredStore<MemoryStore>);

}  // namespace telescope::inline v1
