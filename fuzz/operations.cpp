// Any sequence of operations keeps the laws.
#include "../tests/support/operations.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string broken = telescope::testing::Operations::run({data, size});
  if (!broken.empty()) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    __builtin_trap();
  }
  return 0;
}
