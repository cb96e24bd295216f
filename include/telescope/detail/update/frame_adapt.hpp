// Frame: adapt (section "Adapts").
#pragma once

#include "telescope/detail/frame.hpp"

namespace telescope::inline v1::detail {

// Flat, because its steps are short and many: their calls would take a tenth of its time.
template <class A>
TELESCOPE_FLATTEN Result<AdaptReport> Frame<A>::adapt(const Hash& query, const MemberSource& source,
                                                      [[maybe_unused]] const Gate& gate) noexcept {
  AdaptReport report;
  if constexpr (A::kStorage == LetterStorage::none) {
    return report;
  } else {
    const std::uint64_t q = quotient(query);
    if (!blocks_.occupied(q)) return report;
    const Run run = Runs<B>(blocks_).run_of(q);
    const Home home = read_home(q / 64);
    for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
      // The slack is looked at only where the remainder fits.
      if (!adaptation().fits(blocks_.remainder(slot), letter_of(home, slot), query)) continue;
      report.hits += fits(adaptation(), content_of(home, slot), query);
    }
    if (report.hits == 0) return report;

    SlotMembers<B> members(blocks_, &source);
    const Status asked = members.resolve_run(q, run, [&](std::uint64_t slot) { return content_of(home, slot); });
    if (!asked) return asked.error();
    for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
      if (*members.member_at(slot) == query) return Error::is_member;
    }
    if constexpr (L::kRaw) {
      return adapt_raw(query, run, members, report, gate);
    } else {
      return adapt_coded(query, home, run, members, report, gate);
    }
  }
}

template <class A>
TELESCOPE_ALWAYS_INLINE Result<AdaptReport> Frame<A>::adapt_raw(const Hash& query, const Run& run,
                                                                const SlotMembers<B>& members, AdaptReport report,
                                                                const Gate& gate) noexcept {
  if constexpr (L::kRaw) {
    Rewrites rewrites(blocks_.memory().resource);
    for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
      const Letter old = blocks_.raw_letter(slot);
      if (!adaptation().fits(blocks_.remainder(slot), old, query)) continue;
      const Hash& member = *members.member_at(slot);
      std::optional<Letter> letter = adaptation().separate(member, query, old + 1);
      if (letter && *letter > kMaxRawLetter) {
        ++report.overflow.overflows;
        letter = adaptation().separate(member, query, 0);
      }
      if (!letter) continue;  // they share W: no letter tells them apart
      if (!rewrites.push({slot, adaptation().remainder(member, *letter), *letter})) return Error::no_memory;
      ++report.adapted;
    }
    const std::uint64_t block = quotient(query) / 64;
    [[maybe_unused]] const auto writing = gate.writing(block, block, rewrites.span());
    commit(rewrites);
    return report;
  } else {
    return report;
  }
}

template <class A>
TELESCOPE_ALWAYS_INLINE Result<AdaptReport> Frame<A>::adapt_coded(const Hash& query, const Home& home, const Run& run,
                                                                  SlotMembers<B>& members, AdaptReport report,
                                                                  const Gate& gate) noexcept {
  if constexpr (L::kCoded) {
    Rewrites rewrites(blocks_.memory().resource);
    Letters letters = home.letters;
    Slack slack = home.slack;
    for (;;) {
      const Separated separated = separate(
          query, home, run, members, slack, letters, [](Letter old) { return old + 1; }, &rewrites);
      if (!separated.memory) return Error::no_memory;
      const auto code = separated.room ? encode(letters, slack) : std::nullopt;
      if (!code) return adapt_with_overflow(query, home, run, members, report, gate);
      report.adapted += separated.slots;
      if constexpr (kSlack) {
        // The letter may have taken the entries of other slots of the run, which the query then hits in turn.
        if (run.length() > 1) {
          const Slack left = codec().slack(*code);
          const bool again = left.size < slack.size && count_hits(query, home, run, members, letters, left) > 0;
          slack = left;
          if (again && separated.slots > 0) continue;
        }
      }
      report.adapted = std::min(report.adapted, report.hits);
      [[maybe_unused]] const auto writing = gate.writing(home.block, home.block, rewrites.span());
      commit(rewrites);
      commit(CodeChange{home.block, *code, true});
      return report;
    }
  } else {
    return report;
  }
}

// The same where the code of the block has no room for the letters.
template <class A>
TELESCOPE_NOINLINE Result<AdaptReport> Frame<A>::adapt_with_overflow(const Hash& query, const Home& home,
                                                                     const Run& run, SlotMembers<B>& members,
                                                                     AdaptReport report, const Gate& gate) noexcept {
  if constexpr (L::kCoded) {
    ++report.overflow.overflows;
    Letters letters = home.letters;
    if (overflow_ == Overflow::reset) {
      letters.clear();
      ++report.overflow.resets;
    }
    // The letters of the run itself are reset first; then the policy makes room, and touches the run last.
    (void)separate(
        query, home, run, members, home.slack, letters, [](Letter) { return Letter{0}; }, nullptr);
    OverflowReport made_room;
    const IndexRange own{home.index(run.first), home.index(run.end)};
    const Fitted fitted = fit(
        codec(), letters, [](Letters&) {}, Overflow::evict, own, made_room);
    report.overflow.evicted += made_room.evicted;

    Rewrites rewrites(blocks_.memory().resource);
    const Status planned = plan_rewrites(home, fitted.letters, members, rewrites);
    if (!planned) return planned.error();
    const std::uint64_t code = *encode(fitted.letters, home.slack);
    Slack slack = Slack::none();
    if constexpr (kSlack) slack = codec().slack(code);
    const unsigned left = count_hits(query, home, run, members, fitted.letters, slack);
    report.adapted = report.hits - std::min(report.hits, left);
    [[maybe_unused]] const auto writing = gate.writing(home.block, home.block, rewrites.span());
    commit(rewrites);
    commit(CodeChange{home.block, code, true});
    return report;
  } else {
    return report;
  }
}

// Gives each slot of the run that the query hits under `letters` the first letter from from(old) on that tells them
// apart. Plans the remainders of these slots, if asked to.
template <class A>
template <class From>
TELESCOPE_ALWAYS_INLINE typename Frame<A>::Separated Frame<A>::separate(const Hash& query, const Home& home,
                                                                        const Run& run, const SlotMembers<B>& members,
                                                                        const Slack& slack, Letters& letters, From from,
                                                                        Rewrites* rewrites) const noexcept
    requires(LayoutOf<A>::kCoded) {
  Separated separated;
  for (std::uint64_t slot = run.first; slot < run.end; ++slot) {
    const Hash& member = *members.member_at(slot);
    const Letter old = letters.at(home.index(slot));
    if (!hits(query, member, old, slack.has(home.index(slot)))) continue;
    const std::optional<Letter> letter = adaptation().separate(member, query, from(old));
    if (!letter) continue;  // they share W: no letter tells them apart
    ++separated.slots;
    separated.room &= letters.set(home.index(slot), *letter);
    if constexpr (A::kLetterMovesRemainder) {
      if (rewrites != nullptr)
        separated.memory &= rewrites->push({slot, adaptation().remainder(member, *letter), *letter});
    }
  }
  return separated;
}

}  // namespace telescope::inline v1::detail
