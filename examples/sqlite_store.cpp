// A database of your own as a store: here SQLite (sqlite_store.hpp).
#include "sqlite_store.hpp"

#include <iostream>
#include <telescope/hash.hpp>

int main() {
  auto store = example::sqlite_store("");  // a temporary database; a path makes it last
  const telescope::Xxh3 hash(telescope::Secret::random());
  for (const std::string key : {"apple", "pear", "plum"}) {
    const std::string value = "a " + key;
    const telescope::Write write{hash(key).position, key, value};
    if (!store.write({&write, 1})) return 1;
  }

  std::string value;
  const auto found = store.get({hash("pear").position, "pear"}, value);
  if (!found || !*found) return 1;
  std::cout << "pear: " << value << "\nall, in order of position:\n";
  const auto scanned = store.scan(0, ~std::uint64_t{0}, [](const telescope::Record& record) {
    std::cout << "  " << record.key << '\n';
    return true;
  });
  return scanned ? 0 : 1;
}
