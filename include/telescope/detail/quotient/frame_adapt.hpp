// Frame: adapt (section "Adapts").
#pragma once

#include "telescope/detail/quotient/frame.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class A>
template <class Gate>
Result<AdaptReport> Frame<A>::adapt(const Hash& query, const MemberSource& source,
                                    [[maybe_unused]] Gate gate) noexcept {
  AdaptReport report;
  if constexpr (A::kStorage == LetterStorage::none) {
    return report;
  } else {
    const std::uint64_t q = quotient(query);
    if (!blocks_.occupied(q)) return report;
    const Run run = Runs<B>(blocks_).run_of(q);
    const Home home = read_home(q / 64);
    for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
      report.hits += A::fits(blocks_.remainder(slot), letter_of(home, slot), query);
    }
    if (report.hits == 0) return report;

    Tenants<A, B> tenants(blocks_, &source);
    const Status asked = tenants.ask(q, run, [&](std::uint64_t slot) { return letter_of(home, slot); });
    if (!asked) return asked.error();
    for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
      if (*tenants.in(slot) == query) return Error::is_member;
    }
    if constexpr (L::kRaw) {
      return adapt_raw(query, run, tenants, report, gate);
    } else {
      return adapt_coded(query, home, run, tenants, report, gate);
    }
  }
}

template <class A>
template <class Gate>
Result<AdaptReport> Frame<A>::adapt_raw(const Hash& query, const Run& run, const Tenants<A, B>& tenants,
                                        AdaptReport report, Gate gate) noexcept {
  Rewrites rewrites(blocks_.memory().resource);
  for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
    const Letter old = blocks_.raw_letter(slot);
    if (!A::fits(blocks_.remainder(slot), old, query)) continue;
    const Hash& member = *tenants.in(slot);
    std::optional<Letter> letter = A::separate(member, query, old + 1);
    if (letter && *letter > kMaxRawLetter) {
      ++report.overflow.overflows;
      letter = A::separate(member, query, 0);
    }
    if (!letter) continue;  // they share W: no letter tells them apart
    if (!rewrites.push({slot, A::remainder(member, *letter), *letter})) return Error::no_memory;
    ++report.adapted;
  }
  const std::uint64_t block = quotient(query) / 64;
  [[maybe_unused]] const auto writing = gate.writing(block, block, rewrites.span());
  commit(rewrites);
  return report;
}

template <class A>
template <class Gate>
Result<AdaptReport> Frame<A>::adapt_coded(const Hash& query, const Home& home, const Run& run, Tenants<A, B>& tenants,
                                          AdaptReport report, Gate gate) noexcept {
  const auto hit = [&](std::uint64_t slot, Letter letter) {
    return A::fits(A::remainder(*tenants.in(slot), letter), letter, query);
  };
  // Gives each slot that the query hits under `letters` the first letter from `from` on that tells them apart.
  const auto separate = [&](Letters letters, auto from) -> std::pair<Letters, bool> {
    bool room = true;
    for (std::uint64_t slot = run.first; slot < run.last; ++slot) {
      const Letter old = letters.at(home.index(slot));
      if (!hit(slot, old)) continue;
      const auto letter = A::separate(*tenants.in(slot), query, from(old));
      if (letter) room &= letters.set(home.index(slot), *letter);
    }
    return {letters, room};
  };

  auto [letters, room] = separate(home.letters, [](Letter old) { return old + 1; });
  auto code = room ? A::Codec::encode(letters) : std::nullopt;
  if (!code) {
    ++report.overflow.overflows;
    Letters base = home.letters;
    if (overflow_ == Overflow::reset) {
      base.clear();
      ++report.overflow.resets;
    }
    // Wrap one's own letter first; then the policy makes room, and touches the run itself last.
    letters = separate(base, [](Letter) { return Letter{0}; }).first;
    OverflowReport made_room;
    const IndexRange own{home.index(run.first), home.index(run.last)};
    const Fitted fitted = fit<typename A::Codec>(
        letters, [](Letters&) {}, Overflow::evict, own, made_room);
    letters = fitted.letters;
    code = fitted.code;
    report.overflow.evicted += made_room.evicted;
  }

  Rewrites rewrites(blocks_.memory().resource);
  const Status planned = plan_rewrites(home, letters, tenants, rewrites);
  if (!planned) return planned.error();
  unsigned left = 0;
  for (std::uint64_t slot = run.first; slot < run.last; ++slot) left += hit(slot, letters.at(home.index(slot)));
  report.adapted = report.hits - std::min(report.hits, left);
  [[maybe_unused]] const auto writing = gate.writing(home.block, home.block, rewrites.span());
  commit(rewrites);
  commit(CodeChange{home.block, *code, true});
  return report;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
