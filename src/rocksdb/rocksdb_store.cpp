// The only file that knows RocksDB.
#include "telescope/rocksdb_store.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "telescope/store_key.hpp"

namespace telescope {
inline namespace v1 {
namespace {

namespace fs = std::filesystem;

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

// The library throws nothing; RocksDB says what is wrong by a status, but memory and threads may run out. What a sink
// throws is its caller's affair, but for these.
template <class Body>
auto without_throwing(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Failure{Error::no_memory, "no memory left for the store"};
  } catch (const std::system_error& error) {
    return Failure{Error::io_failed, error.what()};
  }
}

rocksdb::ColumnFamilyOptions family_options(const RocksDbOptions& options, std::uint64_t write_buffer_bytes,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.format_version = 5;
  if (options.bloom_bits > 0) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(options.bloom_bits));

  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.compression = options.compression ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
  family.write_buffer_size = write_buffer_bytes;
  family.max_write_buffer_number = 3;  // one fills, one is being written, and one for when the disk is behind
  // Batches are sorted: a record's place in the memory table is looked for from that of the one before.
  family.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(0));
  family.level_compaction_dynamic_level_bytes = true;  // at most about a tenth of the records is there twice
  return family;
}

rocksdb::DBOptions database_options(const RocksDbOptions& options) {
  rocksdb::DBOptions database;
  database.create_if_missing = options.create_if_missing;
  database.max_background_jobs = std::max(options.background_jobs, 1);
  database.max_open_files = options.open_files;
  database.use_direct_reads = options.direct_reads;
  // `meta` is written rarely, and would keep the log of all records since then.
  database.max_total_wal_size = 4 * options.write_buffer_bytes;
  database.bytes_per_sync = 1 << 20;  // no burst of writing when a file ends
  database.info_log_level = rocksdb::WARN_LEVEL;
  database.keep_log_file_num = 2;
  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;
  if (options.statistics) database.statistics = rocksdb::CreateDBStatistics();
  return database;
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
  Outcome<void> adopt_meta(const rocksdb::ColumnFamilyOptions& family);
  Outcome<void> done(const char* what, const rocksdb::Status& status) const {
    if (status.ok()) return {};
    return failure(what, directory, status);
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
  const auto records_options = family_options(options, options.write_buffer_bytes, cache);
  const auto meta_options = family_options(options, std::uint64_t{1} << 20, cache);
  const rocksdb::DBOptions database = database_options(options);
  counters = database.statistics;

  std::vector<rocksdb::ColumnFamilyDescriptor> families{{rocksdb::kDefaultColumnFamilyName, records_options}};
  std::vector<std::string> names;
  // Should this fail, opening does too, and knows better why.
  const auto listed = rocksdb::DB::ListColumnFamilies(database, directory.string(), &names);
  for (const std::string& name : names) {
    if (name == kMeta) families.emplace_back(kMeta, meta_options);
    if (name != kMeta && name != rocksdb::kDefaultColumnFamilyName) {
      return Failure{Error::corrupt, directory.string() + " holds a database that is not a store of records"};
    }
  }
  listed.PermitUncheckedError();

  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const auto status = rocksdb::DB::Open(database, directory.string(), families, &handles, &opened);
  if (!status.ok()) return open_failure(directory, status);
  db.reset(opened);
  records = handles[0];
  if (handles.size() > 1) meta = handles[1];
  fs::remove_all(directory / kIngest, error);  // left by a process that died; now nobody else has the directory
  if (error)
    return Failure{Error::io_failed, "cannot clear " + (directory / kIngest).string() + ": " + error.message()};
  return meta != nullptr ? Outcome<void>{} : adopt_meta(meta_options);
}

// A database without `meta` is one whose creation was cut short, and empty; or it is not ours.
Outcome<void> RocksDbStore::Database::adopt_meta(const rocksdb::ColumnFamilyOptions& family) {
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}, records));
  any->SeekToFirst();
  if (any->Valid()) {
    return Failure{Error::corrupt, directory.string() + " holds a database that is not a store of records"};
  }
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
  return without_throwing([&]() -> Outcome<bool> {
    thread_local std::string bytes;
    encode_store_key(key, bytes);
    const auto status = database_->db->Get({}, database_->records, slice(bytes), &value);
    if (status.ok()) return true;
    if (status.IsNotFound()) return false;
    return failure("read", database_->directory, status);
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
  return without_throwing([&]() -> Outcome<bool> {
    const auto status = database_->db->Get({}, database_->meta, slice(name), &value);
    if (status.ok()) return true;
    if (status.IsNotFound()) return false;
    return failure("read", database_->directory, status);
  });
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

namespace {

// Records in order -> sorted files in a directory of their own, which goes with this object.
class SortedFiles {
 public:
  SortedFiles(fs::path directory, rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, std::uint64_t file_bytes)
      : directory_(std::move(directory)),
        file_bytes_(file_bytes),
        writer_(rocksdb::EnvOptions(db->GetDBOptions()), db->GetOptions(family), family) {}
  SortedFiles(const SortedFiles&) = delete;
  SortedFiles& operator=(const SortedFiles&) = delete;
  ~SortedFiles() {
    std::error_code ignored;  // what is left is cleared when the store is opened
    fs::remove_all(directory_, ignored);
  }

  const std::vector<std::string>& paths() const noexcept { return paths_; }

  rocksdb::Status add(const std::string& key, std::string_view value) {
    if (!open_) {
      fs::create_directories(directory_);
      paths_.push_back((directory_ / (std::to_string(paths_.size()) + ".sst")).string());
      const auto status = writer_.Open(paths_.back());
      if (!status.ok()) return status;
      open_ = true;
    }
    const auto status = writer_.Put(slice(key), slice(value));
    if (!status.ok() || writer_.FileSize() < file_bytes_) return status;
    return finish();
  }
  rocksdb::Status finish() {
    if (!open_) return {};
    open_ = false;
    return writer_.Finish();
  }

 private:
  fs::path directory_;
  std::uint64_t file_bytes_;
  rocksdb::SstFileWriter writer_;
  std::vector<std::string> paths_;
  bool open_ = false;
};

}  // namespace

Outcome<void> RocksDbStore::ingest(BulkSource next) {
  return without_throwing([&]() -> Outcome<void> {
    Database& d = *database_;
    SortedFiles files(d.directory / kIngest / std::to_string(d.ingests.fetch_add(1)), d.db.get(), d.records,
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
