// Frame: insert and erase.
#pragma once

#include "telescope/detail/frame.hpp"

namespace telescope::inline v1::detail {

template <class A>
Status Frame<A>::plan_rewrites(const Home& home, const Letters& now, SlotMembers<B>& members,
                               Rewrites& rewrites) noexcept {
  if constexpr (A::kLetterMovesRemainder) {
    const Runs<B> runs(blocks_);
    const auto plan = [&](std::uint32_t index) -> Status {
      const Letter letter = now.at(index);
      if (letter == home.letters.at(index)) return {};
      const std::uint64_t slot = home.start + index;
      if (members.member_at(slot) == nullptr) {
        const std::uint64_t quotient = runs.quotient_of(home.block, home.start, slot);
        const Status asked = members.resolve_run(quotient, runs.run_of(quotient),
                                                 [&](std::uint64_t at) { return content_of(home, at); });
        if (!asked) return asked;
      }
      return rewrites.push({slot, adaptation().remainder(*members.member_at(slot), letter), letter}) ? Status{}
                                                                                                     : Error::no_memory;
    };
    for (const PlacedLetter& p : home.letters.placed()) {
      if (const Status planned = plan(p.index); !planned) return planned;
    }
    for (const PlacedLetter& p : now.placed()) {
      if (home.letters.at(p.index) != 0) continue;  // planned above
      if (const Status planned = plan(p.index); !planned) return planned;
    }
  }
  return {};
}

template <class A>
Status Frame<A>::plan_shift(const Home& home, FunctionRef<void(Letters&)> shift, const Slack& slack,
                            SlotMembers<B>& members, CodeChange& change, Rewrites& rewrites,
                            OverflowReport& report) noexcept {
  if constexpr (L::kCoded) {
    if (home.letters.empty() && slack == home.slack) return {};
    const Fitted fitted = fit(codec(), home.letters, shift, overflow_, {}, report);
    change = {home.block, *encode(fitted.shifted, slack), true};
    return plan_rewrites(home, fitted.letters, members, rewrites);
  } else {
    return {};
  }
}

template <class A>
TELESCOPE_ALWAYS_INLINE Result<InsertReport> Frame<A>::insert(const Hash& hash, const MemberSource* source) noexcept {
  if (TELESCOPE_UNLIKELY(!bits::has_fast())) return insert_portably(hash, source);
  return insert_on<bits::Fast>(hash, source);
}

template <class A>
TELESCOPE_NOINLINE Result<InsertReport> Frame<A>::insert_portably(Hash hash, const MemberSource* source) noexcept {
  return insert_on<bits::Portable>(hash, source);
}

// Inlined, because a report that is returned through memory is read back in other pieces than it was written in, and
// such a read waits for all stores before it: for the blocks of earlier inserts, where those are not in the cache.
template <class A>
template <class Isa>
TELESCOPE_ALWAYS_INLINE Result<InsertReport> Frame<A>::insert_on(const Hash& hash,
                                                                 const MemberSource* source) noexcept {
  if (size_ == slots()) return Error::full;
  const std::uint64_t q = quotient(hash);
  const std::uint64_t block = q / 64;
  const auto j = static_cast<unsigned>(q % 64);
  prefetch_insert(hash, size_);
  const Runs<B, Isa> runs(blocks_);
  std::byte* const home = blocks_.at_unwrapped(block);
  const auto local = runs.slot_in_own_block(home, j);
  if (local.occupied == 0) {
    if constexpr (kSlack) {
      const std::uint64_t head = bits::load64(home + L::kHead);
      if (TELESCOPE_UNLIKELY(A::Codec::has_letters(head >> 8))) return insert_far<Isa>(hash, local.at, source);
      const unsigned index = local.at - static_cast<unsigned>(head & 0xff);
      bits::store64(home + L::kHead, event::head_with_entry<Isa>(head, index, slack_bit(hash)));
    }
    G::template take_in<Isa>(blocks_, home, j, home, local.at, adaptation().remainder(hash, 0));
    ++size_;
    return InsertReport{};
  }
  return insert_far<Isa>(hash, local.at, source);
}

// Out of line, so that the path of an insert into its own block stays short. `local` is Runs::LocalSlot::at.
template <class A>
template <class Isa>
TELESCOPE_NOINLINE Result<InsertReport> Frame<A>::insert_far(Hash hash, unsigned local,
                                                             const MemberSource* source) noexcept {
  return insert_to(Runs<B, Isa>(blocks_).place_for(quotient(hash), local), hash, source, kOpenGate);
}

template <class A>
TELESCOPE_ALWAYS_INLINE Result<InsertReport> Frame<A>::insert_to(Place place, const Hash& hash,
                                                                 const MemberSource* source,
                                                                 const Gate& gate) noexcept {
  const std::uint64_t block = quotient(hash) / 64;
  const bool moves = place.at != place.empty || place.at / 64 != block;  // slots, or region starts
  CodeChange home_change, absorbing_change;
  if constexpr (kSlack) {
    if (!plan_plain_codes(hash, place, home_change, absorbing_change)) {
      return insert_coded(hash, place, source, gate);
    }
  } else if constexpr (L::kCoded) {
    if (moves && (blocks_.code(block) | blocks_.code(place.empty / 64)) != 0) {
      return insert_coded(hash, place, source, gate);
    }
  }
  if (const Status ready = gate.ready(); !ready) return ready.error();
  [[maybe_unused]] const auto writing = gate.writing(block, place.empty / 64);
  insert_at(hash, place, moves, gate);
  commit(home_change);
  commit(absorbing_change);
  return InsertReport{};
}

// Plans the codes of an insert without decoding them. Returns false if one of them is not plain, or does not stay so.
template <class A>
template <class P>
TELESCOPE_ALWAYS_INLINE bool Frame<A>::plan_plain_codes(const Hash& hash, const Place& place, CodeChange& home,
                                                        CodeChange& absorbing) const noexcept {
  const std::uint64_t block = quotient(hash) / 64;
  const std::uint64_t code = blocks_.code(block);
  const ShiftEnd end = shift_end_of(block, place.empty);
  const std::uint64_t other = blocks_.code(end.block);
  if (!A::Codec::is_plain(code) || !A::Codec::is_plain(other) || (end.home && end.wrapped)) return false;
  const Runs<B> runs(blocks_);
  const std::uint64_t start = runs.region_start(block);
  // In another block the shift takes all that is behind the member out of this one.
  const std::uint64_t last = end.home ? end.slot - start : ~std::uint64_t{0};
  const bool closes = !end.home && blocks_.occupieds(end.block) != 0;
  const std::uint64_t closed = closes ? end.slot - runs.region_start(end.block) : 0;
  if (TELESCOPE_LIKELY(!A::Codec::has_letters(code | other))) {
    using namespace event;
    const std::uint64_t opened = entries_opened(plain_entries(code, 0), place.at - start, last, slack_bit(hash));
    home = {block, pack_entries(opened, 0), true};
    if (closes) absorbing = {end.block, pack_entries(entries_closed(plain_entries(other, 0), closed), 0), true};
    return true;
  }
  const auto opened = event::plain_opened(code, place.at - start, last, slack_bit(hash));
  if (!opened) return false;
  home = {block, *opened, true};
  if (closes) absorbing = {end.block, event::plain_closed(other, closed), true};
  return true;
}

template <class A>
template <class HashOf, class InsertOne>
TELESCOPE_ALWAYS_INLINE BatchInsertReport Frame<A>::insert_many(std::size_t count, HashOf hash_of,
                                                                InsertOne insert_one) noexcept {
  BatchInsertReport report;
  std::array<Hash, kInsertsAhead> ahead;
  const auto fetch = [&](std::size_t i) {
    ahead[i % kInsertsAhead] = hash_of(i);
    prefetch_insert(ahead[i % kInsertsAhead], Gate::count(size_));
  };
  for (std::size_t i = 0; i < std::min(count, kInsertsAhead); ++i) fetch(i);
  for (std::size_t& i = report.inserted; i < count; ++i) {
    const auto inserted = insert_one(ahead[i % kInsertsAhead]);
    if (!inserted) {
      report.status = inserted.error();
      break;
    }
    report.overflow += inserted->overflow;
    if (i + kInsertsAhead < count) fetch(i + kInsertsAhead);
  }
  return report;
}

// Applies a plan; nothing can fail.
template <class A>
TELESCOPE_ALWAYS_INLINE void Frame<A>::insert_at(const Hash& hash, const Place& place, bool moves,
                                                 const Gate& gate) noexcept {
  const std::uint64_t q = quotient(hash);
  if (moves) G::open(blocks_, q / 64, place.at, place.empty);
  G::take(blocks_, q, place.at, adaptation().remainder(hash, 0));
  gate.add(size_, 1);
}

// Plans the codes of two blocks: a zero letter comes in at the home block, and a zero goes where the shift ends.
template <class A>
TELESCOPE_NOINLINE Result<InsertReport> Frame<A>::insert_coded(Hash hash, Place place, const MemberSource* source,
                                                               const Gate& gate) noexcept {
  InsertReport report;
  CodeChange home_change, absorbing_change;
  const std::uint64_t block = quotient(hash) / 64;
  const ShiftEnd end = shift_end_of(block, place.empty);
  SlotMembers<B> members(blocks_, source);
  Rewrites rewrites(blocks_.memory().resource);
  const Home home = read_home(block);
  const auto close = [&](auto& letters_or_slack) {
    if (end.home) letters_or_slack.close(home.index(end.slot) + (end.wrapped ? 0 : 1));
  };
  const auto shift = [&](Letters& letters) {
    letters.open(home.index(place.at));
    close(letters);
  };
  Slack slack = home.slack;
  if constexpr (kSlack) {
    slack.open(home.index(place.at));
    slack.set(home.index(place.at), slack_bit(hash));
    close(slack);
  }
  Status planned = plan_shift(home, shift, slack, members, home_change, rewrites, report.overflow);
  if (planned.ok() && !end.home) {
    const Home other = read_home(end.block);
    const auto close_other = [&](auto& letters_or_slack) { letters_or_slack.close(other.index(end.slot)); };
    slack = other.slack;
    if constexpr (kSlack) close_other(slack);
    if (blocks_.occupieds(end.block) == 0) slack.end_at(0);
    planned = plan_shift(other, close_other, slack, members, absorbing_change, rewrites, report.overflow);
  }
  if (!planned) return planned.error();
  if (const Status ready = gate.ready(); !ready) return ready.error();
  [[maybe_unused]] const auto writing = gate.writing(block, place.empty / 64, rewrites.span());
  commit(rewrites);
  insert_at(hash, place, true, gate);
  commit(home_change);
  commit(absorbing_change);
  return report;
}

// Returns the index behind the last used slot of a region whose run loses a member, where slots up to `last` move down.
template <class A>
std::uint64_t Frame<A>::region_end_without(const Home& home, std::uint64_t quotient, const Run& run,
                                           std::uint64_t last) const noexcept {
  const Runs<B> runs(blocks_);
  const std::uint64_t end = runs.limit(64 * home.block + 63);
  if (run.end == end && run.length() == 1) {
    return quotient % 64 == 0 ? 0 : std::max(runs.limit(quotient - 1), home.start) - home.start;
  }
  return end - home.start - (last + 1 >= end ? 1 : 0);
}

template <class A>
Result<EraseReport> Frame<A>::erase(const Hash& hash, const MemberSource& source, const Gate& gate) noexcept {
  const Runs<B> runs(blocks_);
  const std::uint64_t q = quotient(hash);
  if (!blocks_.occupied(q)) return Error::not_found;
  const std::uint64_t block = q / 64;
  const Run run = runs.run_of(q);
  const Home home = read_home(block);
  SlotMembers<B> members(blocks_, &source);
  const Status asked = members.resolve_run(q, run, [&](std::uint64_t slot) { return content_of(home, slot); });
  if (!asked) return asked.error();
  std::uint64_t at = run.first;
  while (at < run.end && *members.member_at(at) != hash) ++at;
  if (at == run.end) return Error::not_found;
  const std::uint64_t last = runs.last_shifted(run.end - 1);

  EraseReport report;
  [[maybe_unused]] CodeChange home_change, releasing_change;
  Rewrites rewrites(blocks_.memory().resource);
  if constexpr (L::kCoded) {
    const ShiftEnd end = shift_end_of(block, last);
    const auto shift = [&](auto& letters_or_slack) {
      letters_or_slack.close(home.index(at));
      // Round the circle, the region will start one slot earlier, as for another block below.
      if (end.home) letters_or_slack.open(home.index(end.slot) + (end.wrapped ? 1 : 0));
    };
    Slack slack = home.slack;
    if constexpr (kSlack) {
      shift(slack);
      slack.end_at(region_end_without(home, q, run, last));
    }
    Status planned = plan_shift(home, shift, slack, members, home_change, rewrites, report.overflow);
    if (planned.ok() && !end.home) {
      const Home other = read_home(end.block);
      // Its region will start one slot earlier, so slot `last` will have the index that the slot behind it has now.
      const auto open = [&](auto& letters_or_slack) { letters_or_slack.open(other.index(end.slot) + 1); };
      slack = other.slack;
      if constexpr (kSlack) open(slack);
      planned = plan_shift(other, open, slack, members, releasing_change, rewrites, report.overflow);
    }
    if (!planned) return planned.error();
  }

  if (const Status ready = gate.ready(); !ready) return ready.error();
  [[maybe_unused]] const auto writing = gate.writing(block, last / 64, rewrites.span());
  commit(rewrites);
  const bool alone = run.length() == 1;
  const bool ended = at == run.end - 1;
  G::close(blocks_, block, at, last);
  if (alone) {
    blocks_.set_occupied(q, false);
  } else if (ended) {
    blocks_.set_runend(at - 1, true);
  }
  commit(home_change);
  commit(releasing_change);
  gate.add(size_, -1);
  return report;
}

}  // namespace telescope::inline v1::detail
