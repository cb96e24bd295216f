#include "snapshot_older.hpp"

#include <algorithm>

#include "snapshot_format.hpp"
#include "telescope/detail/block/layout.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/snapshot/shape.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {

using Then = EventCode<8>;
using Now = EventCode<kCandidates<8>>;

}  // namespace

bool is_older(const FilterShape& has, const FilterShape& shape) noexcept {
  return has == ShapeOf<Selectors<8, Then>>::value && shape == ShapeOf<Selectors<8, Now>>::value;
}

SnapshotStatus renew_blocks(std::span<std::byte> blocks) noexcept {
  using L = Layout<8, LetterStorage::coded>;
  for (std::size_t at = 0; at + L::kBytes <= blocks.size(); at += L::kBytes) {
    std::byte* const head = blocks.data() + at + L::kHead;
    const std::uint64_t word = bits::load64(head);
    const Letters letters = Then::decode(word >> 8);
    const bool marked = Then::tall(word >> 8) != 0;
    if (marked || std::ranges::none_of(letters.placed(), [](auto p) { return p.letter >= Now::kTall; })) continue;
    const auto code = Now::encode(letters);
    if (!code) {
      return snapshot_error(Error::other_filter, "block ", at / L::kBytes, ": no room to mark that letters are ",
                            Now::kTall, " and more, as this version does: build the filter anew from its members");
    }
    bits::store64(head, *code << 8 | (word & 0xff));
  }
  return {};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
