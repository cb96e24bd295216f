#include "telescope/bulk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace telescope::inline v1 {
namespace {

// Bits of a digit: the counts of a pass and the ends of its buckets then fit the first-level cache.
constexpr unsigned kDigit = 11;

// Copies from one array to the other in order of the digit at `shift`; equal digits keep their order.
void distribute(std::span<const Hash> from, std::span<Hash> to, unsigned shift) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigit) - 1;
  std::array<std::size_t, kMask + 2> first{};
  for (const Hash& hash : from) ++first[(hash.position >> shift & kMask) + 1];
  for (std::size_t digit = 1; digit < first.size(); ++digit) first[digit] += first[digit - 1];
  for (const Hash& hash : from) to[first[hash.position >> shift & kMask]++] = hash;
}

// Sorts what is nearly sorted, by insertion. If positions are hashes, only neighbours are out of order; if they are
// not, and there is too much to move, it sorts from scratch.
void insertion_sort(std::span<Hash> members) noexcept {
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
  // There are as many passes as leave about one member to each value of the digits, from the lower digit to the upper.
  const unsigned passes = (static_cast<unsigned>(std::bit_width(members.size())) + kDigit - 1) / kDigit;
  for (unsigned pass = 0; pass < passes; ++pass) {
    distribute(members, scratch, 64 - kDigit * (passes - pass));
    std::swap(members, scratch);
  }
  if (passes % 2 == 1) {
    std::copy(members.begin(), members.end(), scratch.begin());
    std::swap(members, scratch);
  }
  insertion_sort(members);
}

}  // namespace telescope::inline v1
