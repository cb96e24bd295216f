// A store in memory: an ordered map under one lock. For tests, and for sets that are small or need not last.
//
// A copy shares nothing with its original. Nothing outlives the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "telescope/store.hpp"

namespace telescope {
inline namespace v1 {

class MemoryStore {
 public:
  MemoryStore();
  MemoryStore(const MemoryStore& other);
  MemoryStore(MemoryStore&& other) noexcept;
  MemoryStore& operator=(const MemoryStore& other);
  MemoryStore& operator=(MemoryStore&& other) noexcept;
  ~MemoryStore();

  Outcome<bool> get(const RecordKey& key, std::string& value) const;
  // The sink runs without the lock: it may read the store, and does not hold up writers.
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) const;
  Outcome<void> write(std::span<const Write> writes);
  Outcome<bool> get_meta(std::string_view name, std::string& value) const;
  Outcome<void> put_meta(std::span<const MetaWrite> writes);

  std::uint64_t version() const;
  Outcome<void> ingest(BulkSource next);
  std::uint64_t bytes() const;  // of the records, without what the map adds
  std::size_t size() const;     // records

 private:
  struct State;
  std::unique_ptr<State> state_;  // null only after a move
};

static_assert(VersionedStore<MemoryStore> && BulkStore<MemoryStore> && MeasuredStore<MemoryStore>);

}  // namespace v1
}  // namespace telescope
