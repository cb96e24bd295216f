// Which member is in which slot of a run: a perfect matching is found if there is one, and in long runs without
// comparing each member with each slot.
#include "telescope/detail/update/matching.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "support/twin.hpp"
#include "telescope/detail/adapt/extensions.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/extension_code.hpp"

namespace telescope::testing {
namespace {

using detail::ClassMatching;
using detail::Match;
using detail::Matching;
using detail::SlotContent;

using Selectors = detail::RawSelectors<4>;
using Extensions = detail::Extensions<4, detail::ExtensionCode>;

// A run as a filter may hold it: its members, and what its slots store.
struct SomeRun {
  std::vector<Hash> members;
  std::vector<SlotContent> slots;
};

// The slots hold the members in any order, each under one of the letters below `letters`.
template <class A>
SomeRun make_run(const A& adaptation, std::uint32_t n, std::uint64_t fingerprints, Letter letters,
                 std::mt19937_64& random) {
  SomeRun run;
  const Xxh3 hash(Secret{{1, 2}});
  for (std::uint32_t i = 0; i < n; ++i) {
    const Hash member{7, hash(random() % fingerprints).fingerprint};
    auto letter = static_cast<Letter>(random() % letters);
    if constexpr (!A::kLetterMovesRemainder) letter = adaptation.extension(member, letter);
    run.members.push_back(member);
    run.slots.push_back({adaptation.remainder(member, letter), letter});
  }
  std::shuffle(run.members.begin(), run.members.end(), random);
  return run;
}

template <class A>
Match match(const A& adaptation, const SomeRun& run, Matching& member_of) {
  return detail::match_perfectly(
      adaptation, run.slots.size(), [&](std::uint32_t slot) { return run.slots[slot]; },
      [&](std::uint32_t member) -> const Hash& { return run.members[member]; }, member_of);
}

// The same without the search that comes first in short runs.
template <class A>
Match match_classes(const A& adaptation, const SomeRun& run, Matching& member_of, std::uint64_t* calls = nullptr) {
  const auto count = [&] {
    if (calls != nullptr) ++*calls;
  };
  const auto content = [&](std::uint32_t slot) { return count(), run.slots[slot]; };
  const auto remainder = [&](std::uint32_t member, Letter letter) {
    return count(), adaptation.remainder(run.members[member], letter);
  };
  const auto fits = [&](std::uint32_t member, const SlotContent& slot) {
    return count(), adaptation.fits(slot.remainder, slot.letter, run.members[member]);
  };
  return ClassMatching(static_cast<std::uint32_t>(run.slots.size()), content, remainder, fits, nullptr).run(member_of);
}

template <class A>
bool fits(const A& adaptation, const SomeRun& run, std::uint32_t slot, std::uint32_t member) {
  return adaptation.fits(run.slots[slot].remainder, run.slots[slot].letter, run.members[member]);
}

// Each slot has a member that fits it, and none has two.
template <class A>
void expect_perfect(const A& adaptation, const SomeRun& run, const Matching& member_of) {
  ASSERT_EQ(member_of.size(), run.slots.size());
  std::set<std::uint32_t> matched;
  for (std::uint32_t slot = 0; slot < member_of.size(); ++slot) {
    ASSERT_LT(member_of[slot], run.members.size());
    ASSERT_TRUE(fits(adaptation, run, slot, member_of[slot])) << slot;
    ASSERT_TRUE(matched.insert(member_of[slot]).second) << slot;
  }
}

// Tries every order of the members.
template <class A>
bool has_perfect_matching(const A& adaptation, const SomeRun& run) {
  std::vector<std::uint32_t> order(run.members.size());
  std::iota(order.begin(), order.end(), 0u);
  do {
    bool all = true;
    for (std::uint32_t slot = 0; slot < order.size(); ++slot) all = all && fits(adaptation, run, slot, order[slot]);
    if (all) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// Small runs of few different members, and half of them with a member or a slot that does not belong.
template <class A>
void find_what_there_is(const A& adaptation) {
  std::mt19937_64 random(5);
  std::uint64_t perfect = 0, none = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto n = static_cast<std::uint32_t>(1 + random() % 7);
    SomeRun run = make_run(adaptation, n, 1 + random() % 20, static_cast<Letter>(1 + random() % 3), random);
    if (round % 2 == 0) run.slots[random() % n].remainder = random() % 16;
    if (round % 4 == 0) run.members[random() % n].fingerprint = random();
    const bool exists = has_perfect_matching(adaptation, run);
    ++(exists ? perfect : none);
    Matching by_class(nullptr), any(nullptr);
    ASSERT_EQ(match_classes(adaptation, run, by_class), exists ? Match::perfect : Match::none) << round;
    ASSERT_EQ(match(adaptation, run, any), exists ? Match::perfect : Match::none) << round;
    if (!exists) continue;
    expect_perfect(adaptation, run, by_class);
    expect_perfect(adaptation, run, any);
  }
  EXPECT_GT(perfect, 1000u);
  EXPECT_GT(none, 1000u);
}
TEST(Matching, FindsAPerfectOneIfThereIs) {
  find_what_there_is(Selectors());
  find_what_there_is(Extensions());
}

// Longer runs in which all slots have letters, so that many a member has to make room for another.
template <class A>
void match_runs_of_many_letters(const A& adaptation, const std::vector<Letter>& numbers) {
  std::mt19937_64 random(6);
  for (const std::uint32_t n : {63u, 64u, 65u, 200u, 1000u}) {
    for (const Letter letters : numbers) {
      SomeRun run = make_run(adaptation, n, 1 << 20, letters, random);
      Matching member_of(nullptr);
      ASSERT_EQ(match(adaptation, run, member_of), Match::perfect) << n << ' ' << letters;
      expect_perfect(adaptation, run, member_of);
      run.slots[0].letter = 0;
      run.slots[0].remainder = 16;  // of no member
      Matching other(nullptr);
      ASSERT_EQ(match(adaptation, run, other), Match::none) << n << ' ' << letters;
    }
  }
}
TEST(Matching, FindsItWhereManySlotsHaveLetters) {
  match_runs_of_many_letters(Selectors(), {1, 2, 9, 20});
  match_runs_of_many_letters(Extensions(), {1, 2, 3, 4});
}

// A run as the code of a block allows: a few slots have letters. The work grows as the run does.
TEST(Matching, TakesFewStepsPerMember) {
  using Bytes = detail::RawSelectors<8>;
  for (const std::uint32_t n : {1000u, 10'000u, 100'000u}) {
    std::mt19937_64 random(n);
    SomeRun run = make_run(Bytes(), n, ~std::uint64_t{0}, 1, random);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    for (std::uint32_t i = 0; i < 16; ++i) {
      const auto letter = static_cast<Letter>(1 + i % 3);
      run.slots[i] = {Bytes().remainder(run.members[order[i]], letter), letter};
    }
    // The slots without letters hold the other members.
    for (std::uint32_t i = 16; i < n; ++i) run.slots[i] = {Bytes().remainder(run.members[order[i]], 0), 0};
    std::uint64_t calls = 0;
    Matching member_of(nullptr);
    ASSERT_EQ(match_classes(Bytes(), run, member_of, &calls), Match::perfect);
    expect_perfect(Bytes(), run, member_of);
    EXPECT_LT(calls, 30u * n);
  }
}

// A run as a filter with a letter for each slot allows: all slots have letters. The work grows as members times
// letters.
TEST(Matching, TakesFewStepsPerMemberAndLetter) {
  using Bytes = detail::RawSelectors<8>;
  for (const std::uint32_t n : {2000u, 20'000u}) {
    for (const Letter letters : {4u, 16u}) {
      std::mt19937_64 random(n);
      const SomeRun run = make_run(Bytes(), n, ~std::uint64_t{0}, letters, random);
      std::uint64_t calls = 0;
      Matching member_of(nullptr);
      ASSERT_EQ(match_classes(Bytes(), run, member_of, &calls), Match::perfect);
      expect_perfect(Bytes(), run, member_of);
      EXPECT_LT(calls, 20u * n * letters);
    }
  }
}

// Each of them stands at one position. All that happens to the filter of this many members happens in this order, and
// afterwards each member is found.
class LongRun : public ::testing::TestWithParam<Form> {};

TEST_P(LongRun, LivesThroughAllOperations) {
#ifdef TELESCOPE_SANITIZED
  constexpr std::uint64_t kMembers = 2000;
#else
  constexpr std::uint64_t kMembers = 6000;
#endif
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    std::mt19937_64 random(position + 1);
    MemberMap store;
    std::vector<Hash> members;
    for (std::uint64_t i = 0; i < 2 * kMembers; ++i) {
      members.push_back({i < kMembers ? position : random(), random()});
      ASSERT_TRUE(store.insert(members.back()).ok());
    }
    const FilterOptions options = FilterOptions::for_members(members.size(), 0.9);
    AnyFilter filter = *GetParam().create(options);
    for (const Hash& member : members) ASSERT_TRUE(filter.insert(member, store).ok());
    const auto all_found =
        [&](const AnyFilter& in) {  // a query reads much of the run, so a part of its members will do
          for (std::uint64_t i = 0; i < members.size(); i += i < kMembers ? 1 + kMembers / 1000 : 1) {
            if (!in.contains(members[i])) return false;
          }
          return !in.check();
        };
    ASSERT_TRUE(all_found(filter));

    const auto adapt = [&] {
      unsigned adapted = 0;
      for (int i = 0; i < 20; ++i) {
        const auto report = filter.adapt({position, random()}, store);
        EXPECT_TRUE(report.ok());
        adapted += report->adapted;
      }
      for (int i = 0; i < 1000; ++i) EXPECT_TRUE(filter.adapt({random(), random()}, store).ok());
      return adapted;
    };
    const unsigned adapted = adapt();
    if (GetParam().kind == FilterKind::utaf) {
      EXPECT_GT(adapted, 0u);
    }
    ASSERT_TRUE(all_found(filter));

    const std::vector<std::byte> bytes(filter.raw().begin(), filter.raw().end());
    const auto fail = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
    EXPECT_EQ(filter.erase(members[5], fail).error(), Error::source_failed);
    EXPECT_EQ(filter.erase({position, 1}, store).error(), Error::not_found);
    EXPECT_TRUE(std::ranges::equal(filter.raw(), bytes));

    for (std::uint64_t i = 0; i < 20; ++i) {
      const Hash& erased = members[i * kMembers / 20];
      ASSERT_TRUE(filter.erase(erased, store).ok()) << i;
      ASSERT_TRUE(store.erase(erased).ok());
      ASSERT_TRUE(filter.insert(erased, store).ok()) << i;
      ASSERT_TRUE(store.insert(erased).ok());
    }
    ASSERT_TRUE(all_found(filter));
    (void)adapt();
    FilterOptions larger = options;
    larger.slots *= 2;
    ASSERT_TRUE(filter.resize(larger, store).ok());
    ASSERT_TRUE(all_found(filter));
    EXPECT_EQ(filter.size(), members.size());
    const auto merged = AnyFilter::merge(filter, *GetParam().create(larger), store);
    ASSERT_TRUE(merged.ok());
    ASSERT_TRUE(all_found(*merged));
  }
}
INSTANTIATE_TEST_SUITE_P(All, LongRun, ::testing::ValuesIn(some_forms({8, 13})), form_name);

}  // namespace
}  // namespace telescope::testing
