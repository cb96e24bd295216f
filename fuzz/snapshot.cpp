// Any bytes as a snapshot. The last byte says whether the checksums are made right first.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "../tests/support/hostile_snapshot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static telescope::testing::HostileSnapshot snapshot;
  if (size == 0) return 0;
  const char* const broken = snapshot.run({data, data + size - 1}, data[size - 1] % 2 == 0);
  if (broken != nullptr) {
    std::fprintf(stderr, "%s\n", broken);
    __builtin_trap();
  }
  return 0;
}
