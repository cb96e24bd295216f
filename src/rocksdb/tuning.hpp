// RocksDbOptions as the options of RocksDB.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "telescope/rocksdb_store.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

inline rocksdb::ColumnFamilyOptions family_options(const RocksDbOptions& options, std::uint64_t write_buffer_bytes,
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

inline rocksdb::DBOptions database_options(const RocksDbOptions& options) {
  rocksdb::DBOptions database;
  database.create_if_missing = options.create_if_missing;
  database.max_background_jobs = std::max(options.background_jobs, 1);
  database.max_open_files = options.open_files;
  database.use_direct_reads = options.direct_reads;
  // Without a bound `meta`, which is written rarely, would keep the log of all records since its last write.
  database.max_total_wal_size = 4 * options.write_buffer_bytes;
  database.bytes_per_sync = 1 << 20;  // so that the end of a file causes no burst of writes
  database.info_log_level = rocksdb::WARN_LEVEL;
  database.keep_log_file_num = 2;
  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;
  if (options.statistics) database.statistics = rocksdb::CreateDBStatistics();
  return database;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
