#include "telescope/bulk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace telescope {
inline namespace v1 {
namespace {

constexpr unsigned kDigit = 11;  // bits: the counts of a pass and the ends of its buckets stay in the cache

// A stable pass from one array to the other, by the digit at `shift`.
void distribute(std::span<const Hash> from, std::span<Hash> to, unsigned shift) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigit) - 1;
  std::array<std::size_t, kMask + 2> first{};
  for (const Hash& hash : from) ++first[(hash.position >> shift & kMask) + 1];
  for (std::size_t digit = 1; digit < first.size(); ++digit) first[digit] += first[digit - 1];
  for (const Hash& hash : from) to[first[hash.position >> shift & kMask]++] = hash;
}

// Neighbours only, if positions are hashes; whatever they are, it sorts.
void settle(std::span<Hash> members) noexcept {
  const auto before = [](const Hash& a, const Hash& b) { return a.position < b.position; };
  std::size_t moves = 0;
  for (std::size_t i = 1; i < members.size(); ++i) {
    const Hash hash = members[i];
    std::size_t at = i;
    for (; at > 0 && before(hash, members[at - 1]); --at) members[at] = members[at - 1];
    members[at] = hash;
    moves += i - at;
    if (moves > 16 * members.size()) return std::sort(members.begin(), members.end(), before);
  }
}

}  // namespace

void sort_by_position(std::span<Hash> members, std::span<Hash> scratch) noexcept {
  assert(scratch.size() >= members.size());
  scratch = scratch.first(members.size());
  // As many digits as leave about one member to each value; from the lower to the upper.
  const unsigned passes = (static_cast<unsigned>(std::bit_width(members.size())) + kDigit - 1) / kDigit;
  for (unsigned pass = 0; pass < passes; ++pass) {
    distribute(members, scratch, 64 - kDigit * (passes - pass));
    std::swap(members, scratch);
  }
  if (passes % 2 == 1) {
    std::copy(members.begin(), members.end(), scratch.begin());
    std::swap(members, scratch);
  }
  settle(members);
}

}  // namespace v1
}  // namespace telescope
