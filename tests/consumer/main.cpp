// What a user's first program does, against the installed headers only.
#include <xxhash.h>  // a consumer may use the hash library himself: nothing of ours may clash with it

#include <cstdint>
#include <cstdio>
#include <telescope/filter.hpp>

int main() {
  telescope::FilterOptions options;
  options.slots = 1 << 12;
  auto made = telescope::Taf<8>::create(options);
  if (!made) return 1;
  auto& filter = *made;

  for (std::uint64_t key = 0; key < 3000; ++key) {
    if (!filter.insert(key)) return 2;
  }
  for (std::uint64_t key = 0; key < 3000; ++key) {
    if (!filter.contains(key)) return 3;
  }
  if (filter.check()) return 4;
  std::puts("consumer: ok");
  return 0;
}
