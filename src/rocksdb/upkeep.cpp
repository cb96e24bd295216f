// What a RocksDbStore does beside the five operations: bulk ingest, checkpoints, and what RocksDB tells about itself.
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/utilities/checkpoint.h>

#include <system_error>
#include <utility>
#include <vector>

#include "database.hpp"

namespace telescope::inline v1 {

namespace fs = std::filesystem;
using detail::catch_to_failure;

namespace {

// Writes records that come in order into sorted files, in a directory that is removed with this object.
class SortedFiles {
 public:
  SortedFiles(fs::path directory, rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, std::uint64_t file_bytes)
      : directory_(std::move(directory)),
        file_bytes_(file_bytes),
        writer_(rocksdb::EnvOptions(db->GetDBOptions()), db->GetOptions(family), family) {}
  SortedFiles(const SortedFiles&) = delete;
  SortedFiles& operator=(const SortedFiles&) = delete;
  ~SortedFiles() {
    std::error_code ignored;  // opening the store clears what is left
    fs::remove_all(directory_, ignored);
  }

  const std::vector<std::string>& paths() const noexcept { return paths_; }

  rocksdb::Status add(const std::string& key, std::string_view value) {
    if (!open_) {
      fs::create_directories(directory_);
      paths_.push_back((directory_ / (std::to_string(paths_.size()) + ".sst")).string());
      auto status = writer_.Open(paths_.back());
      if (!status.ok()) return status;
      open_ = true;
    }
    auto status = writer_.Put(key, value);
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
  return catch_to_failure([&]() -> Outcome<void> {
    Database& d = *database_;
    SortedFiles files(d.directory / detail::kIngestDirectory / std::to_string(d.ingests.fetch_add(1)), d.db.get(),
                      d.records, d.options.ingest_file_bytes);
    std::string key;
    std::string before;  // empty, which is less than the first key
    while (const auto record = next()) {
      encode_store_key({record->position, record->key}, key);
      if (key <= before) {
        return Failure{Error::unordered, "records to ingest must come in order of position, then of key bytes"};
      }
      const auto status = files.add(key, record->value);
      if (!status.ok()) return database_->failure("ingest into", status);
      std::swap(key, before);
    }
    if (const auto status = files.finish(); !status.ok()) return database_->failure("ingest into", status);
    if (files.paths().empty()) return {};

    // The files are on the disk at once, so what came before them must be too.
    if (auto synced = sync(); !synced) return synced;
    // Files that overlap with no record would get no sequence number, and the version would stay the same, unless
    // somebody holds a snapshot.
    const rocksdb::ManagedSnapshot held(d.db.get());
    rocksdb::IngestExternalFileOptions options;
    options.move_files = true;
    return d.logged("ingest into", [&] { return d.db->IngestExternalFile(d.records, files.paths(), options); });
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
  return catch_to_failure([&]() -> Outcome<void> {
    rocksdb::Checkpoint* made = nullptr;
    auto status = rocksdb::Checkpoint::Create(database_->db.get(), &made);
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    if (status.ok()) status = checkpoint->CreateCheckpoint(target.string());
    if (status.ok()) return {};
    return detail::rocksdb_failure("make a checkpoint in", target, status);
  });
}

Outcome<void> RocksDbStore::sync() {
  return catch_to_failure([&] {
    rocksdb::WriteBatch nothing;  // does what SyncWAL does, which some of RocksDB's options forbid
    return database_->logged("sync", [&] { return database_->db->Write(Database::synced(), &nothing); });
  });
}

Outcome<void> RocksDbStore::flush() {
  return catch_to_failure([&] {
    return database_->done("flush", database_->db->Flush({}, {database_->records, database_->meta}));
  });
}

Outcome<void> RocksDbStore::compact() {
  return catch_to_failure([&]() -> Outcome<void> {
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

}  // namespace telescope::inline v1
