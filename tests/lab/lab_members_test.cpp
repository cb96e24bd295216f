// The lab's sources of members answer alike: by range, by quotient, and from what was fetched beforehand.
#include <gtest/gtest.h>

#include <algorithm>
#include <telescope/filter.hpp>
#include <vector>

#include "members/prefetched_members.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

std::vector<Hash> sample(const Keys& keys, std::uint64_t first, std::uint64_t count) {
  const Xxh3 hash{Secret{{1, 2}}};
  std::vector<Hash> hashes;
  for (const std::uint64_t key : keys.range(first, count)) hashes.push_back(hash(key));
  return hashes;
}

template <class Source>
std::vector<Hash> answers(const Source& source, const QuotientRange& range) {
  std::vector<Hash> all;
  EXPECT_TRUE(source(range, [&](const Hash& member) { all.push_back(member); }));
  return all;
}

std::vector<Hash> of_quotients(const std::vector<Hash>& members, const QuotientRange& range) {
  std::vector<Hash> all;
  for (const Hash& member : members) {
    if (range.first_position <= member.position && member.position <= range.last_position) all.push_back(member);
  }
  std::sort(all.begin(), all.end(), [](const Hash& a, const Hash& b) { return a.position < b.position; });
  return all;
}

class LabMembers : public testing::TestWithParam<std::uint64_t> {};

TEST_P(LabMembers, AnswerLikeAPlainSearch) {
  const std::uint64_t slots = GetParam();
  const Keys keys(slots);
  const std::vector<Hash> members = sample(keys, 0, 1000);
  const std::vector<Hash> queries = sample(keys, 1000, 300);
  const MemberIndex index(members);
  const PrefetchedMembers prefetched(queries, slots, index);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t quotient = detail::bits::multiply_high(queries[i].position, slots);
    const QuotientRange own = detail::quotient_range(quotient, quotient + 1, slots);
    const std::vector<Hash> expected = of_quotients(members, own);
    const auto span = index.of_quotient(queries[i].position, slots);
    EXPECT_EQ(std::vector<Hash>(span.begin(), span.end()), expected);
    EXPECT_EQ(answers(index, own), expected);
    EXPECT_EQ(answers(prefetched.source(i), own), expected);

    const QuotientRange wide = detail::quotient_range(quotient, std::min(quotient + 3, slots), slots);
    EXPECT_EQ(answers(prefetched.source(i), wide), of_quotients(members, wide));
    const QuotientRange other = detail::quotient_range((quotient + 1) % slots, (quotient + 1) % slots + 1, slots);
    EXPECT_EQ(answers(prefetched.source(i), other), of_quotients(members, other));
  }
}

INSTANTIATE_TEST_SUITE_P(Slots, LabMembers, testing::Values(64, 192, 1024, 1 << 20));

}  // namespace
}  // namespace telescope::lab
