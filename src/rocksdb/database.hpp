// The open database of a RocksDbStore, and how its errors are told. The files of this directory are the only ones that
// know RocksDB.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/statistics.h>

#include <atomic>
#include <memory>
#include <string>

#include "log_watch.hpp"
#include "telescope/detail/catch_to_failure.hpp"
#include "telescope/rocksdb_store.hpp"
#include "telescope/store_key.hpp"

namespace telescope::inline v1 {
namespace detail {

// The directory, within the store's own, of sorted files that are not yet part of it.
inline constexpr const char* kIngestDirectory = "ingest";

inline rocksdb::Slice slice(std::string_view bytes) noexcept { return {bytes.data(), bytes.size()}; }
inline rocksdb::Slice slice(const PositionBytes& bytes) noexcept { return {bytes.data(), bytes.size()}; }

// Returns the Failure of "cannot <what> <directory>", with what RocksDB says.
Failure rocksdb_failure(const char* what, const std::filesystem::path& directory, const rocksdb::Status& status);

}  // namespace detail

struct RocksDbStore::Database {
  std::filesystem::path directory;
  RocksDbOptions options;
  std::shared_ptr<rocksdb::Statistics> counters;
  std::shared_ptr<detail::LogWatch> log = std::make_shared<detail::LogWatch>();
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(log);
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::ColumnFamilyHandle* records = nullptr;
  rocksdb::ColumnFamilyHandle* meta = nullptr;
  std::atomic<std::uint64_t> ingests{0};
  std::atomic<bool> settled{true};

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  Outcome<void> open();

  Failure failure(const char* what, const rocksdb::Status& status) const {
    return detail::rocksdb_failure(what, directory, status);
  }
  Outcome<void> done(const char* what, const rocksdb::Status& status) const {
    if (status.ok()) return {};
    return failure(what, status);
  }
  // For what goes through the log. After an error, what the log holds and what is found may differ, so that nothing
  // more is written.
  template <class Change>
  Outcome<void> logged(const char* what, Change change) {
    if (!settled) return failure(what, rocksdb::Status::Aborted("an earlier write has failed: open the store again"));
    const rocksdb::Status status = change();
    if (status.ok() && !log->verdict().failed()) return {};
    settled = false;
    return failure(what, status.ok() ? log->verdict().status() : status);
  }
  // For reads of one key: returns whether it was found.
  Outcome<bool> found(const rocksdb::Status& status) const {
    if (status.ok()) return true;
    if (status.IsNotFound()) return false;
    return failure("read", status);
  }
  static rocksdb::WriteOptions synced() {
    rocksdb::WriteOptions write;
    write.sync = true;
    return write;
  }

 private:
  Outcome<void> open_families(const rocksdb::DBOptions& database, const rocksdb::ColumnFamilyOptions& for_records,
                              const rocksdb::ColumnFamilyOptions& for_meta);
  Outcome<void> adopt_meta(const rocksdb::ColumnFamilyOptions& family);
};

}  // namespace telescope::inline v1
