#include <algorithm>

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

// Each record is put into the memory table from the place of the one before: alone, and beside others.
TEST(RocksDbThreads, LargeBatchesInRandomOrder) {
  for (const std::uint64_t writers : {1, 3}) {
    Directory directory;
    auto store = RocksDbStore::open(directory / "store", {.write_buffer_bytes = 1 << 20});
    ASSERT_TRUE(store.ok()) << store.error().what;
    const auto writer = [&](std::uint64_t self) {
      for (std::uint64_t batch = 0; batch < 30; ++batch) {
        std::vector<Write> writes;
        for (std::uint64_t i = 0; i < 512; ++i) {
          writes.push_back({(batch * 512 + i) * 0x9e3779b97f4a7c15 + self, "key", "value"});
        }
        EXPECT_TRUE(store->write(writes).ok());
      }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t self = 0; self < writers; ++self) threads.emplace_back(writer, self);
    for (auto& thread : threads) thread.join();
    const auto records = records_in(*store);
    EXPECT_EQ(records.size(), writers * 30 * 512);
    EXPECT_TRUE(std::is_sorted(records.begin(), records.end(),
                               [](const auto& a, const auto& b) { return a.position < b.position; }));
    for (std::uint64_t i = 0; i < 30 * 512; ++i) {
      ASSERT_EQ(value_in(*store, i * 0x9e3779b97f4a7c15, "key"), "value") << i;
    }
  }
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
