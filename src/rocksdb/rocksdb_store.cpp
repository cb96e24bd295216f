// The only translation unit that knows RocksDB; the headers beside it are its parts.
#include "telescope/rocksdb_store.hpp"

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>
#include <vector>

#include "../without_throwing.hpp"
#include "sorted_files.hpp"
#include "telescope/store_key.hpp"
#include "tuning.hpp"

namespace telescope {
inline namespace v1 {
namespace {

namespace fs = std::filesystem;
using detail::without_throwing;

constexpr const char* kMeta = "meta";
constexpr const char* kIngest = "ingest";  // the directory, in the store's own, of files that are not yet part of it

rocksdb::Slice slice(std::string_view bytes) noexcept { return {bytes.data(), bytes.size()}; }
rocksdb::Slice slice(const PositionBytes& bytes) noexcept { return {bytes.data(), bytes.size()}; }

Error code_of(const rocksdb::Status& status) noexcept {
  if (status.IsCorruption()) return Error::corrupt;
  if (status.IsMemoryLimit()) return Error::no_memory;
  if (status.IsIOError()) return Error::io_failed;
  return Error::store_failed;
}

Failure failure(const char* what, const fs::path& directory, const rocksdb::Status& status) {
  return {code_of(status), std::string("cannot ") + what + " " + directory.string() + ": " + status.ToString()};
}

Failure open_failure(const fs::path& directory, const rocksdb::Status& status) {
  const std::string said = status.ToString();
  const std::string name = directory.string();
  const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
  if (status.IsIOError() && (says("While lock file") || says("lock hold by current process"))) {
    return {Error::in_use, name + " is open elsewhere: wait until it is closed, or stop the process that holds it"};
  }
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return {Error::corrupt, name + " is damaged: restore it from a checkpoint (" + said + ")"};
  }
  return failure("open", directory, status);
}

Failure not_ours(const fs::path& directory) {
  return {Error::corrupt, directory.string() + " holds a database that is not a store of records"};
}

}  // namespace

struct RocksDbStore::Database {
  fs::path directory;
  RocksDbOptions options;
  std::shared_ptr<rocksdb::Statistics> counters;
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::ColumnFamilyHandle* records = nullptr;
  rocksdb::ColumnFamilyHandle* meta = nullptr;
  std::atomic<std::uint64_t> ingests{0};

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() {
    if (!db) return;
    for (auto* family : {records, meta}) {
      if (family != nullptr) (void)db->DestroyColumnFamilyHandle(family);
    }
  }

  Outcome<void> open();
  Outcome<void> open_families(const rocksdb::DBOptions& database, const rocksdb::ColumnFamilyOptions& for_records,
                              const rocksdb::ColumnFamilyOptions& for_meta);
  Outcome<void> adopt_meta(const rocksdb::ColumnFamilyOptions& family);
  Outcome<void> done(const char* what, const rocksdb::Status& status) const {
    if (status.ok()) return {};
    return failure(what, directory, status);
  }
  Outcome<bool> read(rocksdb::ColumnFamilyHandle* family, const rocksdb::Slice& key, std::string& value) const {
    const auto status = db->Get({}, family, key, &value);
    if (status.ok()) return true;
    if (status.IsNotFound()) return false;
    return failure("read", directory, status);
  }
  rocksdb::WriteOptions durably() const {
    rocksdb::WriteOptions write;
    write.sync = true;
    return write;
  }
};

Outcome<void> RocksDbStore::Database::open() {
  std::error_code error;
  const bool present = fs::exists(directory / "CURRENT", error);
  if (!present && !options.create_if_missing) {
    return Failure{Error::io_failed, "there is no store in " + directory.string() + ": create it first"};
  }
  if (!present) fs::create_directories(directory, error);
  if (error) return Failure{Error::io_failed, "cannot create " + directory.string() + ": " + error.message()};

  const auto cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  const auto for_records = detail::family_options(options, options.write_buffer_bytes, cache);
  const auto for_meta = detail::family_options(options, std::uint64_t{1} << 20, cache);
  const rocksdb::DBOptions database = detail::database_options(options);
  counters = database.statistics;
  if (auto opened = open_families(database, for_records, for_meta); !opened) return opened;

  fs::remove_all(directory / kIngest, error);  // left by a process that died; now nobody else has the directory
  if (error)
    return Failure{Error::io_failed, "cannot clear " + (directory / kIngest).string() + ": " + error.message()};
  return meta != nullptr ? Outcome<void>{} : adopt_meta(for_meta);
}

Outcome<void> RocksDbStore::Database::open_families(const rocksdb::DBOptions& database,
                                                    const rocksdb::ColumnFamilyOptions& for_records,
                                                    const rocksdb::ColumnFamilyOptions& for_meta) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families{{rocksdb::kDefaultColumnFamilyName, for_records}};
  std::vector<std::string> names;
  // Should this fail, opening does too, and knows better why.
  const auto listed = rocksdb::DB::ListColumnFamilies(database, directory.string(), &names);
  for (const std::string& name : names) {
    if (name == kMeta) families.emplace_back(kMeta, for_meta);
    if (name != kMeta && name != rocksdb::kDefaultColumnFamilyName) return not_ours(directory);
  }
  listed.PermitUncheckedError();

  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const auto status = rocksdb::DB::Open(database, directory.string(), families, &handles, &opened);
  if (!status.ok()) return open_failure(directory, status);
  db.reset(opened);
  records = handles[0];
  if (handles.size() > 1) meta = handles[1];
  return {};
}

// A database without `meta` is one whose creation was cut short, and empty; or it is not ours.
Outcome<void> RocksDbStore::Database::adopt_meta(const rocksdb::ColumnFamilyOptions& family) {
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}, records));
  any->SeekToFirst();
  if (any->Valid()) return not_ours(directory);
  if (!any->status().ok()) return open_failure(directory, any->status());
  return done("create the strings in", db->CreateColumnFamily(family, kMeta, &meta));
}

RocksDbStore::RocksDbStore(std::unique_ptr<Database> database) noexcept : database_(std::move(database)) {}
RocksDbStore::RocksDbStore(RocksDbStore&& other) noexcept = default;
RocksDbStore& RocksDbStore::operator=(RocksDbStore&& other) noexcept = default;
RocksDbStore::~RocksDbStore() = default;

Outcome<RocksDbStore> RocksDbStore::open(const fs::path& directory, const RocksDbOptions& options) {
  return without_throwing([&]() -> Outcome<RocksDbStore> {
    auto database = std::make_unique<Database>();
    database->directory = directory;
    database->options = options;
    if (auto opened = database->open(); !opened) return std::move(opened).error();
    return RocksDbStore(std::move(database));
  });
}

Outcome<bool> RocksDbStore::get(const RecordKey& key, std::string& value) {
  return without_throwing([&] {
    thread_local std::string bytes;
    encode_store_key(key, bytes);
    return database_->read(database_->records, slice(bytes), value);
  });
}

Outcome<void> RocksDbStore::get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                                     std::span<std::uint8_t> found) {
  return without_throwing([&]() -> Outcome<void> {
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
      if (!statuses[i].ok() && !statuses[i].IsNotFound()) return failure("read", database_->directory, statuses[i]);
      found[i] = statuses[i].ok() ? 1 : 0;
      if (statuses[i].ok()) values[i].assign(pinned[i].data(), pinned[i].size());
    }
    return {};
  });
}

Outcome<void> RocksDbStore::scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
  if (first > last) return {};
  return without_throwing([&]() -> Outcome<void> {
    const PositionBytes from = encode_position(first);
    const PositionBytes behind = encode_position(last + 1);
    const rocksdb::Slice upper = slice(behind);
    rocksdb::ReadOptions read;
    read.total_order_seek = true;
    read.fill_cache = last - first < std::uint64_t{1} << 54;  // a thousandth of all: more would only push others out
    if (last != ~std::uint64_t{0}) read.iterate_upper_bound = &upper;

    const std::unique_ptr<rocksdb::Iterator> at(database_->db->NewIterator(read, database_->records));
    for (at->Seek(slice(from)); at->Valid(); at->Next()) {
      const auto key = decode_store_key(at->key().ToStringView());
      if (!key) return Failure{Error::corrupt, database_->directory.string() + " holds a key that is no record's"};
      if (!sink(Record{key->position, key->key, at->value().ToStringView()})) return {};
    }
    return database_->done("scan", at->status());  // an iterator that failed is not valid either
  });
}

namespace {

// Neighbours in a batch are neighbours in the memory table: their paths meet in the cache. Changes of one record keep
// their order, which is all that the order of a batch can say.
std::vector<const Write*> in_order_of_position(std::span<const Write> writes) {
  std::vector<const Write*> order(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) order[i] = &writes[i];
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->position < b->position; });
  return order;
}

}  // namespace

Outcome<void> RocksDbStore::write(std::span<const Write> writes) {
  return without_throwing([&]() -> Outcome<void> {
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
      if (!status.ok()) return failure("write to", database_->directory, status);
    }
    rocksdb::WriteOptions options;
    options.sync = database_->options.sync;
    options.memtable_insert_hint_per_batch = true;
    return database_->done("write to", database_->db->Write(options, &batch));
  });
}

Outcome<bool> RocksDbStore::get_meta(std::string_view name, std::string& value) {
  return without_throwing([&] { return database_->read(database_->meta, slice(name), value); });
}

Outcome<void> RocksDbStore::put_meta(std::span<const MetaWrite> writes) {
  return without_throwing([&]() -> Outcome<void> {
    rocksdb::WriteBatch batch;
    for (const MetaWrite& write : writes) {
      const auto status = batch.Put(database_->meta, slice(write.name), slice(write.value));
      if (!status.ok()) return failure("write to", database_->directory, status);
    }
    return database_->done("write to", database_->db->Write(database_->durably(), &batch));
  });
}

std::uint64_t RocksDbStore::version() {
  return database_->db->GetLatestSequenceNumber() + 1;  // 0 would say "unknown"
}

Outcome<void> RocksDbStore::ingest(BulkSource next) {
  return without_throwing([&]() -> Outcome<void> {
    Database& d = *database_;
    detail::SortedFiles files(d.directory / kIngest / std::to_string(d.ingests.fetch_add(1)), d.db.get(), d.records,
                              d.options.ingest_file_bytes);
    std::string key;
    std::string before;  // shorter than any key: so is the first one behind it
    while (const auto record = next()) {
      encode_store_key({record->position, record->key}, key);
      if (key <= before) {
        return Failure{Error::unordered, "records to ingest must come in order of position, then of key bytes"};
      }
      const auto status = files.add(key, record->value);
      if (!status.ok()) return failure("ingest into", d.directory, status);
      std::swap(key, before);
    }
    if (const auto status = files.finish(); !status.ok()) return failure("ingest into", d.directory, status);
    if (files.paths().empty()) return {};

    // The files go to the disk at once: so must what came before them.
    if (auto synced = sync(); !synced) return synced;
    // Files that overlap with nothing would get no sequence number of their own, and the version would stay the same;
    // unless somebody holds a snapshot.
    const rocksdb::ManagedSnapshot held(d.db.get());
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    return d.done("ingest into", d.db->IngestExternalFile(d.records, files.paths(), options));
  });
}

std::uint64_t RocksDbStore::bytes() {
  std::uint64_t sum = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(database_->directory, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code gone;  // files come and go
    const std::uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) sum += size;
  }
  return sum;
}

Outcome<void> RocksDbStore::checkpoint(const fs::path& target) {
  return without_throwing([&]() -> Outcome<void> {
    rocksdb::Checkpoint* made = nullptr;
    auto status = rocksdb::Checkpoint::Create(database_->db.get(), &made);
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    if (status.ok()) status = checkpoint->CreateCheckpoint(target.string());
    if (status.ok()) return {};
    return failure("make a checkpoint in", target, status);
  });
}

Outcome<void> RocksDbStore::sync() {
  return without_throwing([&] {
    rocksdb::WriteBatch nothing;  // as good as SyncWAL, which some of RocksDB's options forbid
    return database_->done("sync", database_->db->Write(database_->durably(), &nothing));
  });
}

Outcome<void> RocksDbStore::flush() {
  return without_throwing([&] {
    return database_->done("flush", database_->db->Flush({}, {database_->records, database_->meta}));
  });
}

Outcome<void> RocksDbStore::compact() {
  return without_throwing([&]() -> Outcome<void> {
    rocksdb::CompactRangeOptions options;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    return database_->done("compact", database_->db->CompactRange(options, database_->records, nullptr, nullptr));
  });
}

std::string RocksDbStore::statistics() {
  std::string text;
  (void)database_->db->GetProperty(database_->records, rocksdb::DB::Properties::kStats, &text);
  if (database_->counters) text += database_->counters->ToString();
  return text;
}

std::uint64_t RocksDbStore::counter(std::string_view name) {
  if (!database_->counters) return 0;
  for (const auto& [ticker, ticker_name] : rocksdb::TickersNameMap) {
    if (ticker_name == name) return database_->counters->getTickerCount(ticker);
  }
  return 0;
}

const fs::path& RocksDbStore::directory() const noexcept { return database_->directory; }

}  // namespace v1
}  // namespace telescope
