// Frame::Resize: moves the members of a frame into one of another size, a chunk at a time, while both serve.
//
//   position      0 ................ frontier ................ 2^64
//   new frame     | all its members  |  empty                      |   operations below the frontier
//   old frame     | stale            |  all its members            |   operations from the frontier on
//
// The frontier is a position where a quotient begins in both frames (MigrationSchedule), so every run has all its
// members on one side, and the source's answer for a quotient is the run's members as ever. The runs before
// the frontier may spill past it in both frames; that is consistent, because each is a whole frame after every step.
#pragma once

#include "telescope/detail/move/chunk.hpp"
#include "telescope/detail/move/loader.hpp"

namespace telescope::inline v1::detail {

template <class A>
Result<Frame<A>> Frame<A>::resized(const FilterOptions& options, const MemberSource& source,
                                   OverflowReport* overflow) const noexcept {
  auto to = create(options, adaptation());
  if (!to) return to;
  if (size_ > to->slots()) return Error::full;
  const MigrationSchedule schedule(slots(), to->slots(), Resize::kStepSlots);
  Loader loader(std::move(*to));
  Chunk chunk;
  for (std::uint64_t mark = 0; mark < schedule.marks; mark = schedule.after(mark)) {
    Status moved =
        chunk.collect(*this, mark * schedule.from_stride, schedule.after(mark) * schedule.from_stride, source);
    if (moved.ok()) {
      moved = chunk.drain_into([&](auto&&... member) { return loader.add(member...); }, source);
    }
    if (!moved) return moved.error();
  }
  return std::move(loader).finish(overflow);
}

template <class A>
class Frame<A>::Resize {
 public:
  static constexpr std::uint64_t kStepSlots = 4096;

  // Takes the frame over, unless it fails. A step moves the members of about `step_slots` slots.
  static Result<Resize> start(Frame&& from, const FilterOptions& options,
                              std::uint64_t step_slots = kStepSlots) noexcept {
    auto to = create(options, from.adaptation());
    if (!to) return to.error();
    if (from.size() > to->slots()) return Error::full;
    return Resize(std::move(from), std::move(*to), step_slots);
  }

  // Moves the next chunk. After an error every member is found as before, and the step can be tried again.
  Status step(const MemberSource& source) noexcept {
    if (const Status drained = drain_chunk(source); !drained || mark_ == schedule_.marks) return drained;
    const std::uint64_t next = schedule_.after(mark_);
    const std::uint64_t first = mark_ * schedule_.from_stride, end = next * schedule_.from_stride;
    if (const Status planned = chunk_.collect(from_, first, end, source); !planned) return planned;

    // From here on the chunk is below the frontier: in the new frame, or, where that failed, still in the chunk.
    Loader loader(std::move(to_), mark_ * schedule_.to_stride);
    moved_ += chunk_.size();
    const Status poured = chunk_.drain_into([&](auto&&... member) { return loader.add(member...); }, source);
    to_ = std::move(loader).finish(&overflow_);
    forget_letters(first, end);
    mark_ = next;
    frontier_ = first_position(next * schedule_.to_stride, to_.slots());
    assert(next == schedule_.marks || frontier_ == first_position(end, from_.slots()));
    return poured;
  }

  bool done() const noexcept { return mark_ == schedule_.marks && chunk_.empty(); }
  // Returns the new frame, when done. Adds to `overflow`, if there is one, which letters had to be dropped on the way.
  Frame finish(OverflowReport* overflow = nullptr) && noexcept {
    assert(done());
    if (overflow != nullptr) *overflow += overflow_;
    return std::move(to_);
  }

  TELESCOPE_ALWAYS_INLINE bool contains(const Hash& hash) const noexcept {
    if (!below(hash)) return from_.contains(hash);
    return to_.contains(hash) || (TELESCOPE_UNLIKELY(!chunk_.empty()) && chunk_.contains(hash));
  }
  void contains_many(std::size_t count, const AnyHashes& hashes, std::uint8_t* out) const noexcept;

  Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept {
    if (const Status drained = drain_chunk(source); !drained) return drained.error();
    if (size() >= to_.slots()) return Error::full;  // what is still to move needs its room
    return side_of(hash).insert(hash, &source);
  }
  Result<AdaptReport> adapt(const Hash& query, const MemberSource& source) noexcept {
    if (const Status drained = drain_chunk(source); !drained) return drained.error();
    return side_of(query).adapt(query, source);
  }
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept {
    if (const Status drained = drain_chunk(source); !drained) return drained.error();
    return side_of(hash).erase(hash, source);
  }

  std::optional<Violation> check() const {
    auto violation = to_.check();
    return violation ? violation : from_.check();
  }

  std::uint64_t size() const noexcept { return to_.size() + chunk_.size() + from_.size() - moved_; }
  std::uint64_t slots() const noexcept { return to_.slots(); }
  std::uint64_t bytes() const noexcept { return from_.bytes() + to_.bytes(); }
  std::uint64_t steps_left() const noexcept {
    return (schedule_.marks - mark_ + schedule_.step - 1) / schedule_.step + !chunk_.empty();
  }
  // The members that a failed step left between the frames. Queries find them, and the next operation tries again.
  std::uint64_t pending() const noexcept { return chunk_.size(); }
  const Frame& from() const noexcept { return from_; }
  const Frame& to() const noexcept { return to_; }

 private:
  Resize(Frame from, Frame to, std::uint64_t step_slots) noexcept
      : from_(std::move(from)), to_(std::move(to)), schedule_(from_.slots(), to_.slots(), step_slots) {}

  bool below(const Hash& hash) const noexcept { return hash.position < frontier_ || mark_ == schedule_.marks; }
  Frame& side_of(const Hash& hash) noexcept { return below(hash) ? to_ : from_; }

  // Moves what is left of the chunk. Members past the ring's end are inserted, and that may need the source. Until it
  // is done queries look at the rest of the chunk too, and nothing else changes.
  Status drain_chunk(const MemberSource& source) noexcept {
    const auto insert = [&](const Hash& member, Letter letter, const MemberSource* so_far) -> Status {
      const auto inserted = to_.insert(member, letter, so_far);
      if (!inserted) return inserted.error();
      overflow_ += inserted->overflow;
      return {};
    };
    return chunk_.empty() ? Status{} : chunk_.drain_into(insert, source);
  }

  // Slots of stale runs may still be moved by runs from the frontier on, at the ring's end or out of the frontier's
  // block. Without letters that takes no members: the source's would not be those of a stale run.
  void forget_letters(std::uint64_t first, std::uint64_t end) noexcept {
    if constexpr (L::kCoded) {
      for (std::uint64_t b = first / 64; 64 * b < end; ++b) {
        if (64 * (b + 1) <= end) {
          from_.blocks_.set_code(b, 0);
          continue;
        }
        const Home home = from_.read_home(b);
        const std::uint32_t live = home.index(Runs<B>(from_.blocks_).limit(end - 1));
        Letters letters;
        for (const PlacedLetter& p : home.letters.placed()) {
          if (p.index >= live) letters.push(p.index, p.letter);
        }
        // Fewer letters hardly ever make a longer code; if they do, they stay.
        if (const auto code = from_.encode(letters, home.slack)) from_.blocks_.set_code(b, *code);
      }
    }
  }

  Frame from_;
  Frame to_;
  MigrationSchedule schedule_;
  std::uint64_t mark_ = 0;      // the next one to move from
  std::uint64_t frontier_ = 0;  // the first position of it; means nothing at the end
  std::uint64_t moved_ = 0;     // members that the old frame still holds, and that are not its any more
  Chunk chunk_;                 // empty, unless a step failed at the ring's end
  OverflowReport overflow_;
};

// In batches, each side answers for its own keys.
template <class A>
void Frame<A>::Resize::contains_many(std::size_t count, const AnyHashes& all, std::uint8_t* out) const noexcept {
  constexpr std::size_t kGroup = 128;
  std::array<Hash, kGroup> scratch, hashes[2];
  std::array<std::size_t, kGroup> places[2];
  std::array<std::uint8_t, kGroup> answers;
  for (std::size_t done = 0; done < count; done += kGroup) {
    const std::size_t size = std::min(kGroup, count - done);
    const Hash* const group = all.get(done, std::span(scratch).first(size));
    std::size_t n[2] = {0, 0};
    for (std::size_t i = 0; i < size; ++i) {
      const bool side = below(group[i]);
      hashes[side][n[side]] = group[i];
      places[side][n[side]++] = done + i;
    }
    for (const bool side : {false, true}) {
      const auto own = [&](std::size_t first, std::span<Hash>) -> const Hash* { return hashes[side].data() + first; };
      (side ? to_ : from_).contains_many(n[side], AnyHashes(own), answers.data());
      for (std::size_t i = 0; i < n[side]; ++i) {
        out[places[side][i]] = answers[i] | (side && !chunk_.empty() && chunk_.contains(hashes[side][i]));
      }
    }
  }
}

}  // namespace telescope::inline v1::detail
