// Opening a database: its options, its column families, its errors.
#include "database.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace telescope::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMeta = "meta";

Error code_of(const rocksdb::Status& status) noexcept {
  if (status.IsCorruption()) return Error::corrupt;
  if (status.IsMemoryLimit()) return Error::no_memory;
  if (status.IsIOError()) return Error::io_failed;
  return Error::store_failed;
}

Failure open_failure(const fs::path& directory, const rocksdb::Status& status) {
  const std::string said = status.ToString();
  const std::string name = directory.string();
  const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
  if (status.IsIOError() && (says("While lock file") || says("lock hold by current process"))) {
    return {Error::in_use, name + " is open elsewhere: wait until it is closed, or stop the process that has it open"};
  }
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return {Error::corrupt, name + " is damaged: restore it from a checkpoint (" + said + ")"};
  }
  return detail::rocksdb_failure("open", directory, status);
}

Failure not_ours(const fs::path& directory) {
  return {Error::corrupt,
          directory.string() + " holds a database that is not a store of records: choose another directory"};
}

// RocksDbOptions as the options of RocksDB.
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
  family.max_write_buffer_number = 3;  // one fills, one is being flushed, one is spare for a slow disk
  // Batches are sorted: each record is searched for in the memory table from the place of the one before.
  family.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(0));
  family.level_compaction_dynamic_level_bytes = true;  // at most about a tenth of the records is stored twice
  return family;
}

// RocksDB writes what it does into a file of its own, and asserts that this succeeds: a disk that is full would end the
// process. What went wrong is in the status of each operation.
class SilentLogger final : public rocksdb::Logger {
 public:
  SilentLogger() : rocksdb::Logger(rocksdb::FATAL_LEVEL) {}
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::DBOptions database_options(const RocksDbOptions& options) {
  rocksdb::DBOptions database;
  database.info_log = std::make_shared<SilentLogger>();
  database.create_if_missing = options.create_if_missing;
  database.max_background_jobs = std::max(options.background_jobs, 1);
  database.max_open_files = options.open_files;
  database.use_direct_reads = options.direct_reads;
  // Without a bound `meta`, which is written rarely, would keep the log of all records since its last write.
  database.max_total_wal_size = 4 * options.write_buffer_bytes;
  database.bytes_per_sync = 1 << 20;  // so that the end of a file causes no burst of writes
  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;
  if (options.statistics) database.statistics = rocksdb::CreateDBStatistics();
  return database;
}

}  // namespace

Failure detail::rocksdb_failure(const char* what, const fs::path& directory, const rocksdb::Status& status) {
  return {code_of(status), std::string("cannot ") + what + " " + directory.string() + ": " + status.ToString()};
}

RocksDbStore::Database::~Database() {
  if (!db) return;
  for (auto* family : {records, meta}) {
    if (family != nullptr) (void)db->DestroyColumnFamilyHandle(family);
  }
}

Outcome<void> RocksDbStore::Database::open() {
  std::error_code error;
  const bool present = fs::exists(directory / "CURRENT", error);
  if (!present && !options.create_if_missing) {
    return Failure{Error::io_failed, "there is no store in " + directory.string() + ": create it first"};
  }
  if (!present) fs::create_directories(directory, error);
  if (error) return Failure{Error::io_failed, "cannot create " + directory.string() + ": " + error.message()};

  const auto cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  const auto for_records = family_options(options, options.write_buffer_bytes, cache);
  const auto for_meta = family_options(options, std::uint64_t{1} << 20, cache);
  rocksdb::DBOptions database = database_options(options);
  database.env = env.get();
  counters = database.statistics;
  if (auto opened = open_families(database, for_records, for_meta); !opened) return opened;

  // A process that died may have left files there. Now nobody else has the directory open.
  const fs::path ingest = directory / detail::kIngestDirectory;
  fs::remove_all(ingest, error);
  if (error) return Failure{Error::io_failed, "cannot clear " + ingest.string() + ": " + error.message()};
  return meta != nullptr ? Outcome<void>{} : adopt_meta(for_meta);
}

Outcome<void> RocksDbStore::Database::open_families(const rocksdb::DBOptions& database,
                                                    const rocksdb::ColumnFamilyOptions& for_records,
                                                    const rocksdb::ColumnFamilyOptions& for_meta) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families{{rocksdb::kDefaultColumnFamilyName, for_records}};
  std::vector<std::string> names;
  // If this fails, opening fails too and says more about why.
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

// A database without `meta` is an empty one, whose creation was interrupted, or it is not a store.
Outcome<void> RocksDbStore::Database::adopt_meta(const rocksdb::ColumnFamilyOptions& family) {
  const std::unique_ptr<rocksdb::Iterator> any(db->NewIterator({}, records));
  any->SeekToFirst();
  if (any->Valid()) return not_ours(directory);
  if (!any->status().ok()) return open_failure(directory, any->status());
  return done("create the named strings in", db->CreateColumnFamily(family, kMeta, &meta));
}

}  // namespace telescope::inline v1
