// Frame::Loader: fills a frame from members in order of position, which is slot order. One pass, nothing moves.
//
// Where a run wraps to the first slot, what lies there already would have to move: from such a member on, the loader
// inserts. Where many members will wrap, which takes a long run, whoever knows how many can have slots left for them at
// the front (spill.hpp).
#pragma once

#include "telescope/detail/frame.hpp"
#include "telescope/detail/move/run_writer.hpp"

namespace telescope::inline v1::detail {

// An insert puts the member at the end of its run. The letter is for that slot, whose member is known, so the source is
// not asked for it.
template <class A>
Result<InsertReport> Frame<A>::insert(const Hash& hash, Letter letter, const MemberSource* source) noexcept {
  auto report = insert(hash, source);
  if (!report || letter == 0) return report;
  const std::uint64_t q = quotient(hash);
  const std::uint64_t slot = Runs<B>(blocks_).run_of(q).end - 1;
  bool room = false;
  if constexpr (L::kCoded) {
    Home home = read_home(q / 64);
    const auto code = home.letters.set(home.index(slot), letter) ? encode(home.letters, home.slack) : std::nullopt;
    room = code.has_value();
    if (room) blocks_.set_code(home.block, *code);
  } else if constexpr (L::kRaw) {
    room = letter <= kMaxRawLetter;
    if (room) blocks_.set_raw_letter(slot, letter);
  }
  if (room) {
    blocks_.set_remainder(slot, adaptation().remainder(hash, letter));
  } else {
    ++report->overflow.evicted;
  }
  return report;
}

template <class A>
class Frame<A>::Loader {
 public:
  // Returns a loader of an empty frame that leaves the first `spill` slots to runs that wrap. So many must come.
  static Loader with_spill(Frame frame, std::uint64_t spill) noexcept {
    Loader loader(std::move(frame));
    loader.writer_ = RunWriter<B>(loader.frame_.blocks_, spill);
    loader.end_ += spill;
    return loader;
  }
  // Continues behind the runs of a frame that has none of `quotient` or more.
  explicit Loader(Frame frame, std::uint64_t quotient = 0) noexcept
      : frame_(std::move(frame)),
        writer_(RunWriter<B>::behind(frame_.blocks_, quotient)),
        end_(frame_.slots()),
        position_(first_position(quotient, frame_.slots())) {
    if constexpr (L::kCoded) {
      if (quotient % 64 == 0) return;
      const Home home = frame_.read_home(quotient / 64);
      letters_ = home.letters;
      inherited_letters_ = letters_.size();
      slack_ = home.slack;
      slack_.end_at(Runs<B>(frame_.blocks_).limit(quotient - 1) - home.start);
    }
  }

  // Adds a member at or behind the last one's position, else fails with unordered. The letter is one that the member
  // has had in a filter of any size. `source` is asked only where the loader inserts, and must then yield the members
  // that were added so far.
  TELESCOPE_ALWAYS_INLINE Status add(const Hash& member, Letter letter = 0,
                                     const MemberSource* source = nullptr) noexcept {
    if (TELESCOPE_UNLIKELY(member.position < position_)) return Error::unordered;
    const auto [block, fraction] = bits::multiply(member.position, frame_.blocks_.count());
    const std::uint64_t quotient = 64 * block + (fraction >> 58);
    const std::uint64_t slot = writer_.slot_for(quotient);
    if (TELESCOPE_UNLIKELY(slot >= end_)) return insert(member, letter, source);
    if (TELESCOPE_UNLIKELY(block != writer_.home())) enter_home(block);
    writer_.append(frame_.blocks_, quotient, slot);
    put(slot, member, letter);
    position_ = member.position;
    ++frame_.size_;
    return {};
  }

  // Returns the frame. Adds to `overflow`, if there is one, which letters had to be dropped.
  Frame finish(OverflowReport* overflow = nullptr) && noexcept {
    if (!inserting_) close();
    if (overflow != nullptr) *overflow += overflow_;
    return std::move(frame_);
  }

 private:
  // A member whose letter is not zero, until its block is complete.
  struct Adapted {
    std::uint32_t index;
    Hash member;
  };

  void put(std::uint64_t slot, const Hash& member, [[maybe_unused]] Letter letter) noexcept {
    if constexpr (L::kCoded) {
      if constexpr (kSlack) {
        const std::uint64_t index = slot - writer_.start();
        slack_.bits |= static_cast<std::uint64_t>(index < slack_.size && slack_bit(member) != 0) << (index & 63);
      }
      if (TELESCOPE_UNLIKELY(letter != 0) && keep(slot, member, letter)) {
        frame_.blocks_.set_remainder(slot, frame_.adaptation().remainder(member, letter));
        return;
      }
    }
    if constexpr (L::kRaw) {
      const Letter kept = letter <= kMaxRawLetter ? letter : 0;
      frame_.blocks_.set_raw_letter(slot, kept);
      frame_.blocks_.set_remainder(slot, frame_.adaptation().remainder(member, kept));
    } else {
      frame_.blocks_.set_remainder(slot, frame_.adaptation().remainder(member, 0));
    }
  }

  TELESCOPE_NOINLINE bool keep(std::uint64_t slot, const Hash& member, Letter letter) noexcept {
    const auto index = static_cast<std::uint32_t>(slot - writer_.start());
    if (letters_.size() == Letters::kCapacity) {
      ++overflow_.evicted;
      return false;
    }
    adapted_[letters_.size()] = {index, member};
    return letters_.push(index, letter);
  }

  TELESCOPE_NOINLINE void enter_home(std::uint64_t block) noexcept {
    write_code();
    writer_.enter(frame_.blocks_, block);
  }

  // Writes the home block's letters, as far as they fit, and its slack. The inherited letters stay: by themselves they
  // fit, and to change one would take its member.
  TELESCOPE_NOINLINE void write_code() noexcept {
    if constexpr (L::kCoded) {
      if (letters_.size() > inherited_letters_) {
        const IndexRange keep{0, inherited_letters_ > 0 ? letters_.placed()[inherited_letters_ - 1].index + 1 : 0};
        const Fitted fitted = fit(
            frame_.codec(), letters_, [](Letters&) {}, inherited_letters_ > 0 ? Overflow::evict : frame_.overflow_,
            keep, overflow_);
        for (const Adapted& adapted : std::span(adapted_).first(letters_.size()).subspan(inherited_letters_)) {
          const Letter letter = fitted.letters.at(adapted.index);
          frame_.blocks_.set_remainder(writer_.start() + adapted.index,
                                       frame_.adaptation().remainder(adapted.member, letter));
        }
        letters_ = fitted.letters;
      }
      if (kSlack || !letters_.empty()) frame_.blocks_.set_code(writer_.home(), *frame_.encode(letters_, slack_));
      letters_.clear();
      inherited_letters_ = 0;
      slack_ = {};
    }
  }

  void close() noexcept {
    write_code();
    writer_.close(frame_.blocks_);
    inserting_ = true;
  }

  TELESCOPE_NOINLINE Status insert(const Hash& member, Letter letter, const MemberSource* source) noexcept {
    if (!inserting_) close();
    const auto inserted = frame_.insert(member, letter, source);
    if (!inserted) return inserted.error();
    overflow_ += inserted->overflow;
    position_ = member.position;
    return {};
  }

  Frame frame_;
  RunWriter<B> writer_;
  std::uint64_t end_;       // the first slot that a member cannot be put into, but must be inserted
  std::uint64_t position_;  // of the last member
  bool inserting_ = false;
  OverflowReport overflow_;
  Letters letters_;  // of the home block
  Slack slack_;
  unsigned inherited_letters_ = 0;  // the first of them, which the frame had before: their members are not known
  std::array<Adapted, Letters::kCapacity> adapted_;  // who has the others
};

}  // namespace telescope::inline v1::detail
