// Frame::Chunk: the members of a range of quotients on their way from one frame to another, in order of position, each
// with the letter it has had. A letter means the same in a frame of any size.
#pragma once

#include <memory>
#include <numeric>

#include "telescope/detail/frame.hpp"

namespace telescope::inline v1::detail {

// The steps that move a ring of `from` slots to one of `to` slots. A step ends at a position where a quotient begins in
// both, so that no run has members on both sides. Slot counts have a common divisor g of 64 or more, and for k = 0 .. g
//   first_position(k from / g, from) = ceil(k 2^64 / g) = first_position(k to / g, to).
struct MigrationSchedule {
  std::uint64_t marks;        // g
  std::uint64_t from_stride;  // quotients between two marks
  std::uint64_t to_stride;
  std::uint64_t step;  // marks per step

  // A step is as few marks as make `step_slots` slots of the old ring, and whole blocks of both rings unless that would
  // take many more.
  MigrationSchedule(std::uint64_t from, std::uint64_t to, std::uint64_t step_slots) noexcept
      : marks(std::gcd(from, to)), from_stride(from / marks), to_stride(to / marks) {
    step_slots = std::clamp<std::uint64_t>(step_slots, 1, from);
    const std::uint64_t whole = std::max(64 / std::gcd(64u, from_stride), 64 / std::gcd(64u, to_stride));
    const std::uint64_t unit = whole * from_stride <= std::max<std::uint64_t>(step_slots, 64) ? whole : 1;
    step = unit * ((step_slots + unit * from_stride - 1) / (unit * from_stride));
  }
  std::uint64_t after(std::uint64_t mark) const noexcept { return std::min(marks, mark + step); }
};

template <class A>
class Frame<A>::Chunk {
 public:
  static bool before(const Hash& a, const Hash& b) noexcept {
    return a.position != b.position ? a.position < b.position : a.fingerprint < b.fingerprint;
  }

  // Runs whose slots have no letters need no matching to be moved, only to be checked.
  enum class Match { letters, all };

  // Asks the source for the members of quotients [first, end) and finds out which letter each has. What can fail about
  // moving them fails here.
  Status collect(const Frame& from, std::uint64_t first, std::uint64_t end, const MemberSource& source,
                 Match which = Match::letters) noexcept {
    assert(empty());
    std::uint64_t expected = 0;
    for (RunWalk<B> walk(from.blocks_, first, end); walk.next();) expected += walk.run().length();
    if (expected > members_.size()) {
      members_ = Objects<MovingMember>(expected, from.blocks_.memory());
      if (!members_) return Error::no_memory;
    }
    QuotientRange range = quotient_range(first, end, from.slots());
    range.members = expected;
    std::uint64_t count = 0;
    bool foreign = false;
    const Status fetched = source(range, [&](const Hash& member) {
      foreign |= member.position < range.first_position || member.position > range.last_position;
      if (count < expected) members_[count] = {member, 0};
      ++count;
    });
    if (!fetched) return fetched;
    if (foreign || count != expected) return Error::disagree;
    const auto order = [](const MovingMember& a, const MovingMember& b) { return before(a.member, b.member); };
    if (!std::is_sorted(members_.data(), members_.data() + count, order)) {
      std::sort(members_.data(), members_.data() + count, order);
    }
    if (const Status matched = match(from, first, end, which); !matched) return matched;
    next_ = 0;
    count_ = count;
    return {};
  }

  // Calls into(member, letter, source) for each member. After an error the rest is still here, and can be drained
  // again. That source yields the members handed over so far, and not the rest.
  template <class Into>
  Status drain_into(Into into, const MemberSource& source) noexcept {
    const auto handed_over = [&](const QuotientRange& range, MemberSink sink) -> Status {
      const Hash& front = members_[next_].member;
      std::uint64_t twins = 0;  // of the front, in the rest
      while (next_ + twins < count_ && members_[next_ + twins].member == front) ++twins;
      return source(range, [&](const Hash& member) {
        if (before(front, member)) return;
        if (member == front && twins > 0) return void(--twins);
        sink(member);
      });
    };
    const MemberSource so_far(handed_over);
    for (; next_ < count_; ++next_) {
      const MovingMember& moving = members_[next_];
      if (const Status drained = into(moving.member, moving.letter, &so_far); !drained) return drained;
    }
    return {};
  }

  bool empty() const noexcept { return next_ == count_; }
  std::uint64_t size() const noexcept { return count_ - next_; }
  bool contains(const Hash& hash) const noexcept {
    const auto order = [](const MovingMember& a, const Hash& b) { return before(a.member, b); };
    const std::span<const MovingMember> rest(members_.data() + next_, size());
    const auto at = std::lower_bound(rest.begin(), rest.end(), hash, order);
    return at != rest.end() && at->member == hash;
  }

 private:
  struct MovingMember {
    Hash member;
    Letter letter;
  };

  // Divides the members, in order, among the runs, and matches the letters of each run with its members.
  Status match(const Frame& from, std::uint64_t first, std::uint64_t end, Match which) noexcept {
    MovingMember* members = members_.data();
    Home home;
    for (RunWalk<B> walk(from.blocks_, first, end); walk.next();) {
      const Run& run = walk.run();
      if (from.quotient(members[0].member) != walk.quotient() ||
          from.quotient(members[run.length() - 1].member) != walk.quotient()) {
        return Error::disagree;
      }
      if (A::kStorage != LetterStorage::none || which == Match::all) {
        from.read_home(walk, home);
        bool needed = which == Match::all;
        for (std::uint64_t slot = run.first; slot < run.end; ++slot) needed |= from.letter_of(home, slot) != 0;
        if (needed) {
          if (const Status matched = match_run(from, home, run, members); !matched) return matched;
        }
      }
      members += run.length();
    }
    return {};
  }
  static Status match_run(const Frame& from, const Home& home, const Run& run, MovingMember* members) noexcept {
    const auto content_of = [&](std::uint32_t slot) { return from.content_of(home, run.first + slot); };
    const auto member_at = [&](std::uint32_t member) -> const Hash& { return members[member].member; };
    Matching member_of(from.blocks_.memory().resource);
    const Status matched = match_members(from.adaptation(), run.length(), content_of, member_at, member_of);
    if (!matched) return matched;
    for (std::uint32_t slot = 0; slot < run.length(); ++slot) {
      members[member_of[slot]].letter = from.letter_of(home, run.first + slot);
    }
    return {};
  }

  Objects<MovingMember> members_;
  std::uint64_t next_ = 0;  // [next_, count_) are still here
  std::uint64_t count_ = 0;
};

}  // namespace telescope::inline v1::detail
