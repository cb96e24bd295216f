// Any bytes as the blocks of a filter: check() answers, without undefined behaviour. What it accepts can be used, and
// stays accepted.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../tests/support/restored.hpp"

namespace {

using namespace telescope;

void judge(FilterKind kind, unsigned width, std::span<const std::byte> bytes, std::uint64_t blocks) {
  const FilterOptions options{.slots = 64 * blocks};
  const std::size_t length = AnyFilter::create(kind, width, options)->raw().size();
  const auto size = bytes.size() > length ? static_cast<std::uint64_t>(bytes[length]) : 0;
  AnyFilter filter = testing::restored(kind, width, options, bytes, size);
  if (filter.check()) return;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const Hash hash{i * 0x9e3779b97f4a7c15, i * 0xbf58476d1ce4e5b9};
    (void)filter.contains(hash);
    const auto silent = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
    if (filter.insert(hash, silent).ok() && (!filter.contains(hash) || filter.check())) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::span bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  const std::uint64_t blocks = 1 + data[0] / 40 % 3;
  switch (data[0] % 5) {
    case 0: judge(FilterKind::rsqf, 8, bytes, blocks); break;
    case 1: judge(FilterKind::taf, 8, bytes, blocks); break;
    case 2: judge(FilterKind::exaf, 5, bytes, blocks); break;
    case 3: judge(FilterKind::utaf, 4, bytes, blocks); break;
    default: judge(FilterKind::taf, 11, bytes, blocks);
  }
  return 0;
}
