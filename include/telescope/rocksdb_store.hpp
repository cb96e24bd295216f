// RocksDbStore: a store on the disk, in a directory of its own. RocksDB is an ordered database inside the process.
//
//   column family `default`   the records, under the bytes of store_key.hpp
//   column family `meta`      the named strings
//
// It needs a component: find_package(telescope COMPONENTS rocksdb), telescope::rocksdb. No header of RocksDB is
// included here. RocksDB's own Bloom filter is off, because the filter in front of the store replaces it.
//
// Durability. If the process is killed, every write that returned success survives. If the machine loses power, every
// write before the last put_meta, ingest or sync that returned survives, and of the later ones a beginning; with
// RocksDbOptions::sync, every write that returned success.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "telescope/store.hpp"

namespace telescope::inline v1 {

struct RocksDbOptions {
  bool create_if_missing = true;
  bool sync = false;  // a write returns when it is on the disk
  std::uint64_t block_cache_bytes = std::uint64_t{64} << 20;
  std::uint64_t write_buffer_bytes = std::uint64_t{64} << 20;  // of records in memory that become a sorted file
  int background_jobs = 2;                                     // threads that flush and compact
  int open_files = 512;
  bool compression = false;   // LZ4
  bool direct_reads = false;  // bypasses the page cache: to measure what a cold read costs
  bool statistics = false;    // counts cache hits and bytes, which takes some time
  unsigned bloom_bits = 0;    // bits per record of RocksDB's own Bloom filter, 0 for none: for comparisons
  std::uint64_t ingest_file_bytes = std::uint64_t{64} << 20;  // about how large the sorted files of an ingest are
};

// Thread-safe, but for move and destruction.
class RocksDbStore {
 public:
  // Opens the store in a directory, or creates it. Fails with in_use if the directory is open elsewhere, in this
  // process or another; with corrupt if what is there is damaged or is not a store; with io_failed if there is no store
  // and create_if_missing is false, or if the system refuses.
  static Outcome<RocksDbStore> open(const std::filesystem::path& directory, const RocksDbOptions& options = {});

  RocksDbStore(RocksDbStore&& other) noexcept;
  RocksDbStore& operator=(RocksDbStore&& other) noexcept;
  ~RocksDbStore();

  // The operations and their laws: see store.hpp.
  Outcome<bool> get(const RecordKey& key, std::string& value);
  // Sees the state at its start. Long scans leave the block cache alone.
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink);
  Outcome<void> write(std::span<const Write> writes);
  Outcome<bool> get_meta(std::string_view name, std::string& value);
  Outcome<void> put_meta(std::span<const MetaWrite> writes);

  Outcome<bool> contains(const RecordKey& key);
  Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values, std::span<std::uint8_t> found);
  // Returns one more than the number of changes, those of put_meta and ingest included. A version that was read after a
  // put_meta had returned is never that of other contents, whatever crashes; any version, if only processes crash.
  std::uint64_t version();
  // Returns false from the first write, put_meta, sync or ingest that fails on, until the store is opened again: the
  // log may have what no read finds, and the next opening reads the log.
  bool settled() const noexcept;
  // Goes through sorted files, past log and memory table. Writes of the same keys at the same time come before or after
  // all of it.
  Outcome<void> ingest(BulkSource next);
  // Returns the size of all files in the directory.
  std::uint64_t bytes();

  // Makes a second store in `target`, which must not exist. It shares files by hard links where the file system can.
  Outcome<void> checkpoint(const std::filesystem::path& target);
  // Returns when every write that returned before is on the disk.
  Outcome<void> sync();
  // Writes the records in memory into sorted files.
  Outcome<void> flush();
  // Merges all into one sorted run, so that a read looks in one place. Rewrites the whole store.
  Outcome<void> compact();
  // Returns RocksDB's report about itself; with RocksDbOptions::statistics also its counters.
  std::string statistics();
  // Returns a counter by RocksDB's name for it, e.g. rocksdb.block.cache.miss; 0 without RocksDbOptions::statistics.
  std::uint64_t counter(std::string_view name);

  const std::filesystem::path& directory() const noexcept;

 private:
  struct Database;
  explicit RocksDbStore(std::unique_ptr<Database> database) noexcept;
  std::unique_ptr<Database> database_;  // null only after a move
};

static_assert(MembershipStore<RocksDbStore> && BatchReadingStore<RocksDbStore> && VersionedStore<RocksDbStore>);
static_assert(BulkStore<RocksDbStore> && MeasuredStore<RocksDbStore> && SettlingStore<RocksDbStore>);

}  // namespace telescope::inline v1
