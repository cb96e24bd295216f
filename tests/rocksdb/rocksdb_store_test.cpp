// The store on RocksDB: the laws of the concept, and what is its own.
#include "telescope/rocksdb_store.hpp"

#include <rocksdb/c.h>

#include <fstream>

#include "support/snapshot_bytes.hpp"
#include "support/store_laws.hpp"

namespace telescope::testing {
namespace {

namespace fs = std::filesystem;

RocksDbOptions small(RocksDbOptions options = {}) {
  options.write_buffer_bytes = 1 << 20;
  options.block_cache_bytes = 1 << 20;
  return options;
}
RocksDbStore opened(const fs::path& directory, const RocksDbOptions& options = {}) {
  auto store = RocksDbStore::open(directory, small(options));
  if (!store.ok()) throw std::runtime_error(store.error().what);
  return std::move(store).value();
}
Failure refused(const fs::path& directory, const RocksDbOptions& options = {}) {
  auto store = RocksDbStore::open(directory, small(options));
  return store.ok() ? Failure{Error::full, "was opened"} : store.error();
}
bool names(const Failure& failure, const std::string& words) { return failure.what.find(words) != std::string::npos; }

struct OnDisk {
  static constexpr bool kLasts = true;
  static constexpr bool kVersioned = true;
  Directory directory;
  RocksDbStore open() { return opened(directory / "store"); }
};
TELESCOPE_STORE_LAWS(RocksDb, OnDisk);

class RocksDb : public ::testing::Test {
 protected:
  // In sorted files, of which there are several.
  std::vector<OwnRecord> fill(const RocksDbOptions& options = {}) {
    RocksDbStore store = opened(path, options);
    std::vector<OwnRecord> records;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      records.push_back({i << 40, "key", std::string(100, 'v')});
      EXPECT_TRUE(put(store, i << 40, "key", records.back().value).ok());
      if (i % 250 == 249) {
        EXPECT_TRUE(store.flush().ok());
      }
    }
    return records;
  }
  std::vector<fs::path> files(const std::string& ending) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
    }
    return found;
  }
  Directory directory;
  const fs::path path = directory / "store";
};

TEST_F(RocksDb, AMissingDirectoryIsNotMadeUnlessAskedFor) {
  const Failure failure = refused(path, {.create_if_missing = false});
  EXPECT_EQ(failure.code, Error::io_failed);
  EXPECT_TRUE(names(failure, path.string()) && names(failure, "create")) << failure.what;
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(RocksDbStore::open(path / "deep" / "er").ok());
}

TEST_F(RocksDb, AFileIsNoDirectory) {
  std::ofstream(path) << "text";
  EXPECT_EQ(refused(path).code, Error::io_failed);
  EXPECT_EQ(refused(path, {.create_if_missing = false}).code, Error::io_failed);
}

TEST_F(RocksDb, TwiceInOneProcessIsInUse) {
  const RocksDbStore store = opened(path);
  const Failure failure = refused(path);
  EXPECT_EQ(failure.code, Error::in_use) << failure.what;
  EXPECT_TRUE(names(failure, path.string())) << failure.what;
}

TEST_F(RocksDb, DamageIsCalledSo) {
  const auto ruin = [&](const std::string& ending, const auto& how) {
    fs::remove_all(path);
    fill();
    const auto found = files(ending);
    ASSERT_FALSE(found.empty()) << ending;
    how(found.front());
    const Failure failure = refused(path);
    EXPECT_EQ(failure.code, Error::corrupt) << failure.what;
    EXPECT_TRUE(names(failure, path.string()) && names(failure, "damaged")) << failure.what;
  };
  for (const char* text : {"garbage", "garbage\n", "MANIFEST-999999\n", ""}) {
    ruin("CURRENT", [&](const fs::path& file) { std::ofstream(file) << text; });
  }
  for (const auto& entry : {"MANIFEST", ".sst"}) {
    const auto some = [&](const fs::path& file) { return file.filename().string().find(entry) != std::string::npos; };
    fs::remove_all(path);
    fill();
    for (const auto& file : fs::directory_iterator(path)) {
      if (!some(file.path())) continue;
      fs::remove(file.path());
      break;
    }
    const Failure failure = refused(path);
    EXPECT_EQ(failure.code, Error::corrupt) << failure.what;
  }
}

TEST_F(RocksDb, AFlippedByteIsAnErrorAndNeverAbsent) {
  const auto records = fill();
  for (const auto& file : files(".sst")) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(2000);  // in a block of records
    bytes.put('\x5a');
    bytes.put('\xa5');
  }
  RocksDbStore store = opened(path);
  std::size_t errors = 0;
  std::string value;
  for (const auto& record : records) {
    const auto got = store.get({record.position, record.key}, value);
    if (got.ok()) {
      ASSERT_TRUE(*got) << record.position;
      ASSERT_EQ(value, record.value);
      continue;
    }
    ++errors;
    EXPECT_EQ(got.error().code, Error::corrupt) << got.error().what;
  }
  EXPECT_GT(errors, 0U);
  const auto scanned = store.scan(0, kLastPosition, [](const Record&) { return true; });
  ASSERT_FALSE(scanned.ok());
  EXPECT_EQ(scanned.error().code, Error::corrupt);
  std::vector<RecordKey> keys;
  for (const auto& record : records) keys.push_back({record.position, record.key});
  std::vector<std::string> values(keys.size());
  std::vector<std::uint8_t> found(keys.size());
  EXPECT_FALSE(store.get_many(keys, values, found).ok());
}

// As another program would make them.
void make_foreign(const fs::path& path, const char* family, bool with_record) {
  char* error = nullptr;
  auto* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  auto* db = rocksdb_open(options, path.c_str(), &error);
  ASSERT_EQ(error, nullptr);
  auto* write = rocksdb_writeoptions_create();
  if (with_record) rocksdb_put(db, write, "k", 1, "v", 1, &error);
  if (family != nullptr) {
    rocksdb_column_family_handle_destroy(rocksdb_create_column_family(db, options, family, &error));
  }
  ASSERT_EQ(error, nullptr);
  rocksdb_writeoptions_destroy(write);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

TEST_F(RocksDb, ADatabaseOfOthersIsLeftAlone) {
  make_foreign(path, nullptr, true);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(refused(path).code, Error::corrupt);
  make_foreign(directory / "other", "theirs", false);
  EXPECT_EQ(refused(directory / "other").code, Error::corrupt);
  // One whose creation was cut short is ours.
  make_foreign(directory / "begun", nullptr, false);
  EXPECT_TRUE(RocksDbStore::open(directory / "begun").ok());
  // A key that is too short for a record is seen when it is met.
  make_foreign(directory / "short", "meta", true);
  RocksDbStore store = opened(directory / "short");
  const auto scanned = store.scan(0, kLastPosition, [](const Record&) { return true; });
  ASSERT_FALSE(scanned.ok());
  EXPECT_EQ(scanned.error().code, Error::corrupt);
}

std::vector<OwnRecord> sorted_records(std::uint64_t count) {
  std::vector<OwnRecord> records;
  for (std::uint64_t i = 0; i < count; ++i) records.push_back({i << 40, "key", std::string(100, 'v')});
  return records;
}

TEST_F(RocksDb, IngestTakesSeveralFilesAtOnceAndLeavesNoneBehind) {
  RocksDbStore store = opened(path, {.ingest_file_bytes = 10'000});
  const auto records = sorted_records(1000);
  ASSERT_TRUE(ingest(store, records).ok());
  EXPECT_GE(files(".sst").size(), 10U);
  EXPECT_EQ(records_in(store), records);
  EXPECT_TRUE(!fs::exists(path / "ingest") || fs::is_empty(path / "ingest"));
}

TEST_F(RocksDb, IngestThatFailsLeavesNothing) {
  {
    RocksDbStore store = opened(path, {.ingest_file_bytes = 10'000});
    auto records = sorted_records(1000);
    std::swap(records[998], records[999]);
    const auto version = store.version();
    EXPECT_EQ(ingest(store, records).error().code, Error::unordered);
    EXPECT_TRUE(records_in(store).empty());
    EXPECT_EQ(store.version(), version);
    EXPECT_TRUE(fs::is_empty(path / "ingest"));

    fs::remove(path / "ingest");
    std::ofstream(path / "ingest") << "in the way";
    const auto failed = ingest(store, sorted_records(10));
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code, Error::io_failed);
    EXPECT_TRUE(records_in(store).empty());
  }
  fs::remove(path / "ingest");
  fs::create_directories(path / "ingest" / "0");
  std::ofstream(path / "ingest" / "0" / "0.sst") << "of a process that died";
  RocksDbStore store = opened(path);
  EXPECT_FALSE(fs::exists(path / "ingest"));
  EXPECT_TRUE(ingest(store, sorted_records(10)).ok());
  EXPECT_EQ(records_in(store).size(), 10U);
}

TEST_F(RocksDb, ACheckpointIsAStoreOfItsOwn) {
  RocksDbStore store = opened(path);
  ASSERT_TRUE(put(store, 1, "a", "1").ok());
  ASSERT_TRUE(put_meta(store, "name", "value").ok());
  ASSERT_TRUE(ingest(store, {{2, "b", "2"}}).ok());
  ASSERT_TRUE(put(store, 3, "c", "3").ok());
  const auto version = store.version();
  ASSERT_TRUE(store.checkpoint(directory / "copy").ok());
  EXPECT_FALSE(store.checkpoint(directory / "copy").ok());
  ASSERT_TRUE(put(store, 4, "d", "4").ok());

  RocksDbStore copy = opened(directory / "copy", {.create_if_missing = false});
  EXPECT_EQ(records_in(copy), (std::vector<OwnRecord>{{1, "a", "1"}, {2, "b", "2"}, {3, "c", "3"}}));
  EXPECT_EQ(copy.version(), version);
  std::string value;
  EXPECT_TRUE(copy.get_meta("name", value).value());
  EXPECT_EQ(value, "value");
  ASSERT_TRUE(put(copy, 5, "e", "5").ok());
  EXPECT_EQ(value_in(store, 5, "e"), std::nullopt);
}

TEST_F(RocksDb, VersionIsTheSameAfterFlushCompactionAndReopening) {
  std::uint64_t version = 0;
  {
    RocksDbStore store = opened(path);
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(put(store, i % 7, "a", std::to_string(i)).ok());
    ASSERT_TRUE(ingest(store, {{20, "x", "y"}}).ok());
    version = store.version();
    ASSERT_TRUE(store.flush().ok());
    EXPECT_EQ(store.version(), version);
    ASSERT_TRUE(store.compact().ok());
    EXPECT_EQ(store.version(), version);
    ASSERT_TRUE(store.sync().ok());
    EXPECT_EQ(store.version(), version);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(opened(path).version(), version);
}

TEST_F(RocksDb, OptionsChangeNoAnswer) {
  for (const RocksDbOptions& options :
       {RocksDbOptions{.sync = true}, RocksDbOptions{.compression = true}, RocksDbOptions{.statistics = true},
        RocksDbOptions{.bloom_bits = 10}, RocksDbOptions{.background_jobs = 0, .open_files = 20}}) {
    fs::remove_all(path);
    const auto records = fill(options);
    RocksDbStore store = opened(path, options);
    EXPECT_EQ(records_in(store), records);
    for (const auto& record : records) {
      ASSERT_EQ(value_in(store, record.position, record.key), record.value);
      ASSERT_EQ(value_in(store, record.position, "absent"), std::nullopt);
    }
    EXPECT_GT(store.bytes(), options.compression ? 10'000U : 100'000U);
    EXPECT_FALSE(store.statistics().empty());
    EXPECT_EQ(store.counter("rocksdb.block.cache.hit") > 0, options.statistics);
    EXPECT_EQ(store.directory(), path);
  }
}

TEST_F(RocksDb, DirectReadsAnswerTheSameWhereTheFileSystemHasThem) {
  const auto records = fill();
  auto store = RocksDbStore::open(path, small({.direct_reads = true}));
  if (!store.ok()) {
    ASSERT_NE(store.error().what.find("Direct I/O"), std::string::npos) << store.error().what;
    GTEST_SKIP() << store.error().what;
  }
  EXPECT_EQ(records_in(*store), records);
}

}  // namespace
}  // namespace telescope::testing
