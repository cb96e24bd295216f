#include "support/snapshot_bytes.hpp"
#include "support/store_threads.hpp"
#include "telescope/rocksdb_store.hpp"

namespace telescope::testing {
namespace {

TEST(RocksDbThreads, ReadsSeeWhatReturned) {
  Directory directory;
  auto store = RocksDbStore::open(directory / "store", {.write_buffer_bytes = 1 << 16});
  ASSERT_TRUE(store.ok()) << store.error().what;
  hammer(*store, 500);
}

// Bulk ingest between writes: each is all there when it has returned.
TEST(RocksDbThreads, IngestBesideWrites) {
  Directory directory;
  auto store = RocksDbStore::open(directory / "store", {.write_buffer_bytes = 1 << 16});
  ASSERT_TRUE(store.ok()) << store.error().what;
  std::thread bulk([&] {
    for (std::uint64_t i = 0; i < 20; ++i) {
      EXPECT_TRUE(ingest(*store, {{1000 + i, "a", "1"}, {2000 + i, "b", "2"}}).ok());
      EXPECT_EQ(value_in(*store, 2000 + i, "b"), "2");
    }
  });
  hammer(*store, 200);
  bulk.join();
  EXPECT_EQ(records_in(*store, 1000, 2999).size(), 40U);
}

}  // namespace
}  // namespace telescope::testing
