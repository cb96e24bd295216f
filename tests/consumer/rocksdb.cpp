// The store on RocksDB, against the installed headers only.
#include <cstdio>
#include <filesystem>
#include <telescope/rocksdb_store.hpp>

int main(int, char** arguments) {
  const auto directory = std::filesystem::path(arguments[0]).replace_extension("store");
  auto store = telescope::RocksDbStore::open(directory);
  if (!store) return 1;
  const telescope::Write write{7, "key", "value"};
  if (!store->write({&write, 1})) return 2;
  std::string value;
  const auto found = store->get({7, "key"}, value);
  if (!found || !*found || value != "value") return 3;
  std::puts("consumer of rocksdb: ok");
  return 0;
}
