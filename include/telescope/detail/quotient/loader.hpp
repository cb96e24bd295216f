// Frame::Loader: fills an empty frame from members in order of position, which is slot order. One pass, nothing moves.
//
// Past the last slot the ring goes on at the first, and what lies there already would have to move: from such a member
// on, loading is inserting.
#pragma once

#include "telescope/detail/quotient/frame.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class A>
class Frame<A>::Loader {
 public:
  explicit Loader(Frame empty) noexcept : frame_(std::move(empty)) { assert(frame_.size_ == 0); }

  // In order of position. The letter is one that the member has had (in a filter of any size) and would like to keep.
  // `source` is asked only where loading is inserting, and must then yield the members that were added so far.
  TELESCOPE_ALWAYS_INLINE Status add(const Hash& member, Letter letter = 0,
                                     const MemberSource* source = nullptr) noexcept {
    if (TELESCOPE_UNLIKELY(member.position < position_)) return Error::unordered;
    const auto [block, fraction] = bits::multiply(member.position, frame_.blocks_.count());
    const std::uint64_t quotient = 64 * block + (fraction >> 58);
    const std::uint64_t slot = std::max(free_, quotient);
    if (TELESCOPE_UNLIKELY(slot >= frame_.slots())) return insert(member, letter, source);
    if (TELESCOPE_UNLIKELY(block != home_)) enter_home(block);
    runends_ &= ~(quotient == quotient_ ? runend_ : 0);  // the bit of a run's end moves along with the run
    if (TELESCOPE_UNLIKELY(slot / 64 != lane_)) enter_lane(slot / 64);
    runend_ = std::uint64_t{1} << slot % 64;
    runends_ |= runend_;
    occupieds_ |= std::uint64_t{1} << quotient % 64;
    put(slot, member, letter);
    position_ = member.position;
    quotient_ = quotient;
    free_ = slot + 1;
    ++frame_.size_;
    return {};
  }

  // Tells, if asked, which letters had to be dropped.
  Frame finish(OverflowReport* overflow = nullptr) && noexcept {
    if (!inserting_) close();
    if (overflow != nullptr) *overflow = overflow_;
    return std::move(frame_);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // A member whose letter is not zero, until its block is complete.
  struct Adapted {
    std::uint32_t index;
    Hash member;
  };

  void put(std::uint64_t slot, const Hash& member, [[maybe_unused]] Letter letter) noexcept {
    if constexpr (L::kCoded) {
      if (TELESCOPE_UNLIKELY(letter != 0) && keep(slot, member, letter)) {
        frame_.blocks_.set_remainder(slot, A::remainder(member, letter));
        return;
      }
    }
    if constexpr (L::kRaw) {
      constexpr Letter kMaxRaw = 255;
      const Letter kept = letter <= kMaxRaw ? letter : 0;
      frame_.blocks_.set_raw_letter(slot, kept);
      frame_.blocks_.set_remainder(slot, A::remainder(member, kept));
    } else {
      frame_.blocks_.set_remainder(slot, A::remainder(member, 0));
    }
  }

  TELESCOPE_NOINLINE bool keep(std::uint64_t slot, const Hash& member, Letter letter) noexcept {
    const auto index = static_cast<std::uint32_t>(slot - start_);
    if (letters_.size() == Letters::kCapacity) {
      ++overflow_.evicted;
      return false;
    }
    adapted_[letters_.size()] = {index, member};
    return letters_.push(index, letter);
  }

  // The home block is complete: its occupieds, and its letters as far as they fit.
  TELESCOPE_NOINLINE void leave_home() noexcept {
    if (home_ == kNone) return;
    frame_.blocks_.set_occupieds(home_, occupieds_);
    if constexpr (L::kCoded) {
      if (letters_.empty()) return;
      const Fitted fitted = fit<typename A::Codec>(
          letters_, [](Letters&) {}, frame_.overflow_, {}, overflow_);
      frame_.blocks_.set_code(home_, fitted.code);
      for (const Adapted& adapted : std::span(adapted_).first(letters_.size())) {
        const Letter letter = fitted.letters.at(adapted.index);
        frame_.blocks_.set_remainder(start_ + adapted.index, A::remainder(adapted.member, letter));
      }
      letters_.clear();
    }
  }
  TELESCOPE_NOINLINE void enter_home(std::uint64_t block) noexcept {
    leave_home();
    for (std::uint64_t b = home_ + 1; b <= block; ++b) {  // kNone + 1 is block 0
      frame_.blocks_.set_offset(b, free_ > 64 * b ? free_ - 64 * b : 0);
    }
    home_ = block;
    occupieds_ = 0;
    start_ = std::max(free_, 64 * block);
  }
  TELESCOPE_NOINLINE void enter_lane(std::uint64_t lane) noexcept {
    if (lane_ != kNone) frame_.blocks_.set_runends(lane_, runends_);
    lane_ = lane;
    runends_ = 0;
  }

  // Everything is written, and the frame can be used.
  void close() noexcept {
    leave_home();
    if (lane_ != kNone) frame_.blocks_.set_runends(lane_, runends_);
    const std::uint64_t count = frame_.blocks_.count();
    for (std::uint64_t b = home_ + 1; b < count; ++b) {
      frame_.blocks_.set_offset(b, free_ > 64 * b ? free_ - 64 * b : 0);
    }
    inserting_ = true;
  }

  TELESCOPE_NOINLINE Status insert(const Hash& member, Letter letter, const MemberSource* source) noexcept {
    if (!inserting_) close();
    const auto inserted = frame_.insert(member, source);
    if (!inserted) return inserted.error();
    overflow_ += inserted->overflow;
    overflow_.evicted += letter != 0 ? 1 : 0;
    position_ = member.position;
    return {};
  }

  Frame frame_;
  std::uint64_t position_ = 0;      // of the last member
  std::uint64_t quotient_ = kNone;  // likewise
  std::uint64_t free_ = 0;          // the first slot behind it
  std::uint64_t home_ = kNone;      // the block of its quotient
  std::uint64_t start_ = 0;         // S of the home block
  std::uint64_t occupieds_ = 0;     // of the home block
  std::uint64_t lane_ = kNone;      // the block of its slot
  std::uint64_t runends_ = 0;       // of that block
  std::uint64_t runend_ = 0;        // the last one's bit
  bool inserting_ = false;
  OverflowReport overflow_;
  Letters letters_;                                  // of the home block
  std::array<Adapted, Letters::kCapacity> adapted_;  // who has them
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
