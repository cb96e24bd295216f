// The store on RocksDB: the laws of the concept, and what is its own.
#include "telescope/rocksdb_store.hpp"

#include "support/snapshot_bytes.hpp"
#include "support/store_laws.hpp"

namespace telescope::testing {
namespace {

RocksDbStore opened(const std::filesystem::path& directory, RocksDbOptions options = {}) {
  options.write_buffer_bytes = 1 << 20;
  options.block_cache_bytes = 1 << 20;
  auto store = RocksDbStore::open(directory, options);
  if (!store.ok()) {
    ADD_FAILURE() << store.error().what;
    std::abort();
  }
  return std::move(store).value();
}

struct OnDisk {
  static constexpr bool kLasts = true;
  static constexpr bool kVersioned = true;
  Directory directory;
  RocksDbStore open() { return opened(directory / "store"); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(RocksDb, StoreLaws, OnDisk);

}  // namespace
}  // namespace telescope::testing
