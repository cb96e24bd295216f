#include <iostream>
#include <map>
#include <telescope/filter.hpp>
using namespace telescope;

int main() {
  auto filter = *Taf<8>::create(FilterOptions{.slots = 1 << 12});  // 11 bits per slot
  std::multimap<std::uint64_t, Hash> store;                        // the members, in order of position
  auto members = [&](const QuotientRange& range, MemberSink sink) -> Status {
    for (auto it = store.lower_bound(range.first_position); it != store.end() && it->first <= range.last_position; ++it)
      sink(it->second);
    return {};
  };

  for (std::uint64_t key = 0; key < 3500; ++key) {
    const Hash hash = filter.hash_of(key);
    if (!filter.insert(key, members)) return 1;
    store.emplace(hash.position, hash);
  }
  std::uint64_t absent = 1'000'000;
  while (!filter.contains(absent)) ++absent;                       // a false positive: about 1 key in 256
  if (!filter.adapt(absent, members)) return 1;                    // the store said no: repair it
  std::cout << std::boolalpha << filter.contains(absent) << '\n';  // false
}
