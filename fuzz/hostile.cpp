// Any bytes as the blocks of a filter: check() answers, without undefined behaviour. What it accepts can be used, and
// stays accepted.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "paper/general_code.hpp"
#include "telescope/filter.hpp"

namespace {

using namespace telescope;

template <class A>
void judge(std::span<const std::byte> bytes, std::uint64_t blocks) {
  using Frame = detail::Frame<A>;
  const FilterOptions options{.slots = 64 * blocks};
  std::vector<std::byte> raw(Frame::create(options)->raw().size());
  std::memcpy(raw.data(), bytes.data(), std::min(raw.size(), bytes.size()));
  std::uint64_t size = 0;
  if (bytes.size() > raw.size()) size = static_cast<std::uint64_t>(bytes[raw.size()]);
  auto frame = Frame::from_raw(options, raw, size);
  if (!frame || frame->check()) return;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const Hash hash{i * 0x9e3779b97f4a7c15, i * 0xbf58476d1ce4e5b9};
    frame->contains(hash);
    const auto silent = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
    const MemberSource source(silent);
    if (frame->insert(hash, &source).ok() && (!frame->contains(hash) || frame->check())) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::span bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  const std::uint64_t blocks = 1 + data[0] / 40 % 3;
  switch (data[0] % 5) {
    case 0: judge<detail::None<8>>(bytes, blocks); break;
    case 1: judge<detail::Selectors<8, detail::DefaultCode<8>>>(bytes, blocks); break;
    case 2: judge<detail::Extensions<5, detail::ExtensionCode>>(bytes, blocks); break;
    case 3: judge<detail::RawSelectors<4>>(bytes, blocks); break;
    default: judge<detail::Selectors<11, detail::GeneralCode<2, 3>>>(bytes, blocks);
  }
  return 0;
}
