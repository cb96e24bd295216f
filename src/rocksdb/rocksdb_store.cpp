// The operations of a store, over RocksDB's.
#include "telescope/rocksdb_store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "database.hpp"

namespace telescope::inline v1 {

using detail::catch_to_failure;
using detail::slice;

RocksDbStore::RocksDbStore(std::unique_ptr<Database> database) noexcept : database_(std::move(database)) {}
RocksDbStore::RocksDbStore(RocksDbStore&& other) noexcept = default;
RocksDbStore& RocksDbStore::operator=(RocksDbStore&& other) noexcept = default;
RocksDbStore::~RocksDbStore() = default;

Outcome<RocksDbStore> RocksDbStore::open(const std::filesystem::path& directory, const RocksDbOptions& options) {
  return catch_to_failure([&]() -> Outcome<RocksDbStore> {
    auto database = std::make_unique<Database>();
    database->directory = directory;
    database->options = options;
    if (auto opened = database->open(); !opened) return std::move(opened).error();
    return RocksDbStore(std::move(database));
  });
}

Outcome<bool> RocksDbStore::get(const RecordKey& key, std::string& value) {
  return catch_to_failure([&] {
    thread_local std::string bytes;
    encode_store_key(key, bytes);
    return database_->found(database_->db->Get({}, database_->records, slice(bytes), &value));
  });
}

Outcome<bool> RocksDbStore::contains(const RecordKey& key) {
  return catch_to_failure([&] {
    thread_local std::string bytes;
    encode_store_key(key, bytes);
    rocksdb::PinnableSlice value;  // a reference into the block cache
    return database_->found(database_->db->Get({}, database_->records, slice(bytes), &value));
  });
}

Outcome<void> RocksDbStore::get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                                     std::span<std::uint8_t> found) {
  return catch_to_failure([&]() -> Outcome<void> {
    const std::size_t count = keys.size();
    std::vector<std::string> bytes(count);
    std::vector<rocksdb::Slice> slices(count);
    for (std::size_t i = 0; i < count; ++i) {
      encode_store_key(keys[i], bytes[i]);
      slices[i] = slice(bytes[i]);
    }
    std::vector<rocksdb::PinnableSlice> pinned(count);
    std::vector<rocksdb::Status> statuses(count);
    database_->db->MultiGet({}, database_->records, count, slices.data(), pinned.data(), statuses.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (!statuses[i].ok() && !statuses[i].IsNotFound()) return database_->failure("read", statuses[i]);
      found[i] = statuses[i].ok() ? 1 : 0;
      if (found[i] != 0 && !values.empty()) values[i].assign(pinned[i].data(), pinned[i].size());
    }
    return {};
  });
}

Outcome<void> RocksDbStore::scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
  if (first > last) return {};
  return catch_to_failure([&]() -> Outcome<void> {
    const PositionBytes from = encode_position(first);
    const PositionBytes behind = encode_position(last + 1);
    const rocksdb::Slice upper = slice(behind);
    rocksdb::ReadOptions read;
    read.total_order_seek = true;
    read.fill_cache = last - first < std::uint64_t{1} << 54;  // a thousandth of all: more would evict what others need
    if (last != ~std::uint64_t{0}) read.iterate_upper_bound = &upper;

    const std::unique_ptr<rocksdb::Iterator> at(database_->db->NewIterator(read, database_->records));
    for (at->Seek(slice(from)); at->Valid(); at->Next()) {
      const auto key = decode_store_key(at->key().ToStringView());
      if (!key)
        return Failure{Error::corrupt, database_->directory.string() +
                                           " holds a key that is not a record's: restore it from a checkpoint"};
      if (!sink(Record{key->position, key->key, at->value().ToStringView()})) return {};
    }
    return database_->done("scan", at->status());  // an iterator that failed is not valid either
  });
}

namespace {

// Sorted, because neighbours in a batch are then neighbours in the memory table, whose paths share cache lines. The
// sort is stable: changes of one record keep their order.
std::vector<const Write*> in_order_of_position(std::span<const Write> writes) {
  std::vector<const Write*> order(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) order[i] = &writes[i];
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->position < b->position; });
  return order;
}

}  // namespace

Outcome<void> RocksDbStore::write(std::span<const Write> writes) {
  return catch_to_failure([&]() -> Outcome<void> {
    std::size_t bytes = 32;
    for (const Write& write : writes) bytes += write.key.size() + (write.value ? write.value->size() : 0) + 24;
    rocksdb::WriteBatch batch(bytes);
    for (const Write* at : in_order_of_position(writes)) {
      const Write& write = *at;
      const PositionBytes position = encode_position(write.position);
      const rocksdb::Slice parts[] = {slice(position), slice(write.key)};
      const rocksdb::SliceParts key(parts, 2);
      rocksdb::Status status;
      if (write.value) {
        const rocksdb::Slice value = slice(*write.value);
        status = batch.Put(database_->records, key, rocksdb::SliceParts(&value, 1));
      } else {
        status = batch.Delete(database_->records, key);
      }
      if (!status.ok()) return database_->failure("write to", status);
    }
    rocksdb::WriteOptions options;
    options.sync = database_->options.sync;
    options.memtable_insert_hint_per_batch = true;
    return database_->logged("write to", [&] { return database_->db->Write(options, &batch); });
  });
}

Outcome<bool> RocksDbStore::get_meta(std::string_view name, std::string& value) {
  return catch_to_failure(
      [&] { return database_->found(database_->db->Get({}, database_->meta, slice(name), &value)); });
}

Outcome<void> RocksDbStore::put_meta(std::span<const MetaWrite> writes) {
  return catch_to_failure([&]() -> Outcome<void> {
    rocksdb::WriteBatch batch;
    for (const MetaWrite& write : writes) {
      const auto status = batch.Put(database_->meta, slice(write.name), slice(write.value));
      if (!status.ok()) return database_->failure("write to", status);
    }
    return database_->logged("write to", [&] { return database_->db->Write(Database::synced(), &batch); });
  });
}

std::uint64_t RocksDbStore::version() {
  return database_->db->GetLatestSequenceNumber() + 1;  // 0 would say "unknown"
}

bool RocksDbStore::settled() const noexcept { return database_->settled; }

}  // namespace telescope::inline v1
