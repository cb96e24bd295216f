#include <telescope/filter.hpp>
#include <telescope/member_map.hpp>

int main() {
  auto filter = *telescope::Taf<8>::create({.slots = 4096});  // 11 bits per slot
  telescope::MemberMap store;                                 // stands for your database
  for (std::uint64_t key = 0; key < 3500; ++key)
    if (!filter.insert(key, store) || !store.insert(filter.hash_of(key))) return 1;

  std::uint64_t absent = 3500;
  while (!filter.contains(absent)) ++absent;   // a false positive: about 1 key in 256
  if (!filter.adapt(absent, store)) return 1;  // the database has no such key: repair the filter
  return filter.contains(absent) ? 1 : 0;      // from now on the answer is "surely absent"
}
