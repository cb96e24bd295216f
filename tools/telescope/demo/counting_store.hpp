// A RocksDB store that counts who reads it, and that is shared: the guard in front holds it, and so do we.
#pragma once

#include <atomic>
#include <memory>
#include <telescope/rocksdb_store.hpp>
#include <utility>

namespace telescope::contest {

struct StoreReads {
  std::atomic<std::uint64_t> gets{0};   // of one record each
  std::atomic<std::uint64_t> scans{0};  // of a short range each
};

class CountingStore {
 public:
  CountingStore(std::shared_ptr<RocksDbStore> store, std::shared_ptr<StoreReads> reads)
      : store_(std::move(store)), reads_(std::move(reads)) {}

  Outcome<bool> get(const RecordKey& key, std::string& value) {
    reads_->gets.fetch_add(1, std::memory_order_relaxed);
    return store_->get(key, value);
  }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    reads_->scans.fetch_add(1, std::memory_order_relaxed);
    return store_->scan(first, last, sink);
  }
  Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                         std::span<std::uint8_t> found) {
    reads_->gets.fetch_add(keys.size(), std::memory_order_relaxed);
    return store_->get_many(keys, values, found);
  }
  Outcome<void> write(std::span<const Write> writes) { return store_->write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) { return store_->get_meta(name, value); }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) { return store_->put_meta(writes); }
  std::uint64_t version() { return store_->version(); }
  std::uint64_t bytes() { return store_->bytes(); }

 private:
  std::shared_ptr<RocksDbStore> store_;
  std::shared_ptr<StoreReads> reads_;
};

static_assert(Store<CountingStore> && VersionedStore<CountingStore>);

}  // namespace telescope::contest
