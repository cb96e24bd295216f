// Many readers of one mapped filter, while its chunks are still being verified.
#include <thread>

#include "support/snapshot_bytes.hpp"
#include "support/twin.hpp"
#include "telescope/mapped_filter.hpp"

namespace telescope::testing {
namespace {

TEST(SnapshotThreads, ReadersVerifyTogether) {
  const Directory directory;
  const auto path = directory / "a.tsnap";
  auto filter = std::move(Taf<8>::create({.slots = 1 << 18}, Xxh3(Secret{{1, 2}}))).value();
  const std::uint64_t members = 240'000;
  for (std::uint64_t key = 0; key < members; ++key) ASSERT_TRUE(filter.insert(key).ok());
  ASSERT_TRUE(save_snapshot(filter, path, {.sync = false}).ok());
  const auto mapped = map_snapshot<Taf<8>>(path, filter.hash());
  ASSERT_TRUE(mapped.ok());
  std::vector<std::uint64_t> wrong(4);
  std::vector<std::thread> readers;
  for (std::uint64_t t = 0; t < wrong.size(); ++t) {
    readers.emplace_back([&, t] {
      for (std::uint64_t key = t; key < 2 * members; key += 7) {
        wrong[t] += mapped->contains(key) != filter.contains(key);
        if (t == 3 && key > members) wrong[t] += !mapped->verify().ok();
        if (t == 3 && key > members) break;
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  for (const std::uint64_t count : wrong) EXPECT_EQ(count, 0u);
  EXPECT_TRUE(mapped->status().ok());
}

}  // namespace
}  // namespace telescope::testing
