// A store on the disk, in a directory of its own: RocksDB, an ordered database inside the process.
//
//   column family `default`   the records, under the bytes of store_key.hpp
//   column family `meta`      the named strings
//
// Needs the component: find_package(telescope COMPONENTS rocksdb), telescope::rocksdb. No header of RocksDB's is seen
// here. RocksDB's own Bloom filter stays off: the filter in front of the store replaces it.
//
// What lasts: everything that returned without an error, when the process is killed at any instant. When the machine
// loses power: all that came before the last put_meta, ingest or sync, and of what came later a beginning; with
// RocksDbOptions::sync, everything.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "telescope/store.hpp"

namespace telescope {
inline namespace v1 {

struct RocksDbOptions {
  bool create_if_missing = true;
  bool sync = false;  // every write is on the disk before it returns
  std::uint64_t block_cache_bytes = std::uint64_t{64} << 20;
  std::uint64_t write_buffer_bytes = std::uint64_t{64} << 20;  // records in memory until they become a sorted file
  int background_jobs = 2;                                     // threads that flush and compact
  int open_files = 512;
  bool compression = false;   // LZ4
  bool direct_reads = false;  // past the page cache: to measure what a cold read costs
  bool statistics = false;    // count cache hits and bytes; takes some time
  // Bits per record for RocksDB's own Bloom filter; 0: none. For comparisons.
  unsigned bloom_bits = 0;
  // Bulk ingest goes through sorted files of about this size.
  std::uint64_t ingest_file_bytes = std::uint64_t{64} << 20;
};

class RocksDbStore {
 public:
  // in_use: a process, this one or another, has the directory open. io_failed: it is not there and is not to be made,
  // or the system refused. corrupt: what is there is damaged or is not a store.
  static Outcome<RocksDbStore> open(const std::filesystem::path& directory, const RocksDbOptions& options = {});

  RocksDbStore(RocksDbStore&& other) noexcept;
  RocksDbStore& operator=(RocksDbStore&& other) noexcept;
  ~RocksDbStore();

  Outcome<bool> get(const RecordKey& key, std::string& value);
  // Sees the state of when it began. Long scans leave the block cache alone.
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink);
  Outcome<void> write(std::span<const Write> writes);
  Outcome<bool> get_meta(std::string_view name, std::string& value);
  Outcome<void> put_meta(std::span<const MetaWrite> writes);

  Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values, std::span<std::uint8_t> found);
  // Counts the changes, those of put_meta and ingest included. A version that was read after a put_meta had returned is
  // never that of other contents, whatever crashes; any version, if only processes do and not the machine.
  std::uint64_t version();
  // Through sorted files, past log and memory. Overlapping writes of the same keys go before or after all of it.
  Outcome<void> ingest(BulkSource next);
  std::uint64_t bytes();  // of all files in the directory

  // A second store in a directory that is not there yet: files are shared by hard links where the file system has them.
  Outcome<void> checkpoint(const std::filesystem::path& target);
  Outcome<void> sync();     // what was written before is on the disk
  Outcome<void> flush();    // into sorted files
  Outcome<void> compact();  // into one sorted run: every read looks in one place
  // What RocksDB says about itself; with RocksDbOptions::statistics also its counters.
  std::string statistics();
  // A counter by RocksDB's name, e.g. rocksdb.block.cache.miss; 0 without RocksDbOptions::statistics.
  std::uint64_t counter(std::string_view name);

  const std::filesystem::path& directory() const noexcept;

 private:
  struct Database;
  explicit RocksDbStore(std::unique_ptr<Database> database) noexcept;
  std::unique_ptr<Database> database_;  // null only after a move
};

static_assert(BatchReadingStore<RocksDbStore> && VersionedStore<RocksDbStore>);
static_assert(BulkStore<RocksDbStore> && MeasuredStore<RocksDbStore>);

}  // namespace v1
}  // namespace telescope
