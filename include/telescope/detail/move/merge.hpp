// Frame::merged: two frames of the same size become one that holds the members of both, letters included. No member is
// needed, but where letters must be dropped. The slack of a block ends where that of one of the two does.
//
// The run of a quotient is that of one frame followed by that of the other. How far the last runs wrap is known from
// the lengths of the runs alone, so everything is written once, in order.
#pragma once

#include "telescope/detail/frame.hpp"
#include "telescope/detail/move/run_writer.hpp"

namespace telescope::inline v1::detail {

template <class A>
class Frame<A>::Merger {
  using Walk = RunWalk<B>;

 public:
  Merger(const Frame& a, const Frame& b, Frame& empty, const MemberSource* source) noexcept
      : a_(a),
        b_(b),
        result_(empty),
        source_(source),
        writer_(result_.blocks_, spill()),
        entries_(result_.blocks_.memory().resource) {}

  Status run() noexcept {
    std::uint64_t block = ~std::uint64_t{0};
    Home home_a, home_b;
    const Status merged = visit([&](std::uint64_t quotient, const Walk* in_a, const Walk* in_b) -> Status {
      if (quotient / 64 != block) {
        if (const Status left = leave(); !left) return left;
        block = quotient / 64;
        writer_.enter(result_.blocks_, block);
      }
      Status copied;
      if (in_a != nullptr) copied = copy(a_, *in_a, home_a);
      if (in_b != nullptr && copied.ok()) copied = copy(b_, *in_b, home_b);
      return copied;
    });
    if (!merged) return merged;
    if (const Status left = leave(); !left) return left;
    writer_.close(result_.blocks_);
    result_.size_ = a_.size_ + b_.size_;
    return {};
  }

  const OverflowReport& overflow() const noexcept { return overflow_; }

 private:
  struct Entry {
    std::uint64_t quotient;
    std::uint64_t slot;  // in the result
    Letter letter;
    SlackEntry slack;
  };

  // Calls visit(quotient, run in a, run in b) for each quotient with a run, null standing for none.
  template <class Visit>
  Status visit(Visit visit) const noexcept {
    Walk a(a_.blocks_, 0, a_.slots()), b(b_.blocks_, 0, b_.slots());
    bool more_a = a.next(), more_b = b.next();
    while (more_a || more_b) {
      const bool from_a = more_a && (!more_b || a.quotient() <= b.quotient());
      const bool from_b = more_b && (!more_a || b.quotient() <= a.quotient());
      const Status visited = visit(from_a ? a.quotient() : b.quotient(), from_a ? &a : nullptr, from_b ? &b : nullptr);
      if (!visited) return visited;
      if (from_a) more_a = a.next();
      if (from_b) more_b = b.next();
    }
    return {};
  }

  // Returns by how many slots the last runs wrap past the end of the ring. Reserving them at the front cannot push runs
  // past the end again: that would need more members than slots.
  std::uint64_t spill() const noexcept {
    std::uint64_t free = 0;
    (void)visit([&](std::uint64_t quotient, const Walk* a, const Walk* b) -> Status {
      free = std::max(free, quotient) + (a == nullptr ? 0 : a->run().length()) + (b == nullptr ? 0 : b->run().length());
      return {};
    });
    return free > a_.slots() ? free - a_.slots() : 0;
  }

  // Copies the run that the walk has come to. `home` is that of the run before in this frame.
  Status copy(const Frame& from, const Walk& walk, Home& home) noexcept {
    from.read_home(walk, home);
    const std::uint64_t quotient = walk.quotient();
    for (std::uint64_t at = walk.run().first; at < walk.run().end; ++at) {
      const std::uint64_t slot = writer_.slot_for(quotient);
      writer_.append(result_.blocks_, quotient, slot);
      result_.blocks_.set_remainder(slot, from.blocks_.remainder(at));
      const Letter letter = from.letter_of(home, at);
      if constexpr (L::kRaw) result_.blocks_.set_raw_letter(slot, letter);
      if constexpr (L::kCoded) {
        adapted_ |= letter != 0;
        if (!entries_.push({quotient, slot, letter, from.slack_entry_of(home, at)})) return Error::no_memory;
      }
    }
    return {};
  }

  // Writes the code of a complete block: the letters as far as they fit, and the slack as far as all of it is known.
  Status leave() noexcept {
    Status left;
    if constexpr (L::kCoded) {
      if (adapted_ || (kSlack && entries_.size() != 0)) left = write_code();
      adapted_ = false;
      (void)entries_.resize(0, {});
    }
    return left;
  }
  Status write_code() noexcept {
    if constexpr (L::kCoded) {
      Letters letters;
      for (const Entry& entry : entries_) {
        if (entry.letter != 0 && !letters.push(index(entry), entry.letter)) ++overflow_.evicted;
      }
      const Fitted fitted = fit(
          result_.codec(), letters, [](Letters&) {}, result_.overflow_, {}, overflow_);
      if constexpr (A::kLetterMovesRemainder) {
        for (std::size_t first = 0, end = 0; first < entries_.size(); first = end) {
          bool dropped = false;
          for (; end < entries_.size() && entries_[end].quotient == entries_[first].quotient; ++end) {
            dropped |= entries_[end].letter != fitted.letters.at(index(entries_[end]));
          }
          if (!dropped) continue;
          const Status rewritten = rewrite(entries_.span().subspan(first, end - first), fitted.letters);
          if (!rewritten) return rewritten;
        }
      }
      result_.blocks_.set_code(writer_.home(), *result_.encode(fitted.letters, known_slack()));
    }
    return {};
  }

  Slack known_slack() const noexcept {
    Slack slack;
    for (const Entry& entry : entries_) {
      if (!slack.has(index(entry))) break;
      if (entry.slack == SlackEntry::none) {
        slack.truncate(index(entry));
      } else {
        slack.set(index(entry), static_cast<unsigned>(entry.slack));
      }
    }
    return slack;
  }

  // Rewrites a run that has lost letters: the letters as they were tell the members apart.
  Status rewrite(std::span<const Entry> run, const Letters& now) noexcept {
    RunMembers members(entries_.memory());
    const Status fetched = fetch_members(source_, run[0].quotient, result_.slots(), run.size(), members);
    if (!fetched) return fetched;
    Matching member_of(entries_.memory());
    const auto content_of = [&](std::uint32_t slot) -> SlotContent {
      return {result_.blocks_.remainder(run[slot].slot), run[slot].letter, run[slot].slack};
    };
    const auto member_at = [&](std::uint32_t member) -> const Hash& { return members[member]; };
    const Status matched = match_members(result_.adaptation(), run.size(), content_of, member_at, member_of);
    if (!matched) return matched;
    for (std::uint32_t slot = 0; slot < run.size(); ++slot) {
      const Letter letter = now.at(index(run[slot]));
      result_.blocks_.set_remainder(run[slot].slot, result_.adaptation().remainder(members[member_of[slot]], letter));
    }
    return {};
  }

  std::uint32_t index(const Entry& entry) const noexcept {
    return static_cast<std::uint32_t>(entry.slot - writer_.start());
  }

  const Frame& a_;
  const Frame& b_;
  Frame& result_;
  const MemberSource* source_;
  RunWriter<B> writer_;
  OverflowReport overflow_;
  bool adapted_ = false;         // some letter of the block is not zero
  Scratch<Entry, 128> entries_;  // of the block
};

template <class A>
Result<Frame<A>> Frame<A>::merged(const Frame& a, const Frame& b, const MemberSource* source,
                                  OverflowReport* overflow) noexcept {
  if (a.slots() != b.slots()) return Error::bad_argument;
  if (a.size() + b.size() > a.slots()) return Error::full;
  auto result = create(a.options(), a.adaptation());
  if (!result) return result;
  Merger merger(a, b, *result, source);
  if (const Status merged = merger.run(); !merged) return merged.error();
  if (overflow != nullptr) *overflow += merger.overflow();
  return result;
}

}  // namespace telescope::inline v1::detail
