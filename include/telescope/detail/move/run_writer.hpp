// Writes the occupieds, runends and offsets of runs in order of quotient, each behind the one before. Nothing moves.
// The caller writes what the slots hold.
//
// The words of the current block stay in registers until the next one begins; close() writes the last ones. The blocks
// are passed with each call, because the owner of both may be moved.
#pragma once

#include "telescope/detail/query/runs.hpp"

namespace telescope::inline v1::detail {

template <class B>
class RunWriter {
 public:
  // Writes into blocks without a run. The first `spill` slots are left to runs that will wrap.
  explicit RunWriter(B& blocks, std::uint64_t spill = 0) noexcept : free_(spill), start_(spill) {
    blocks.set_offset(0, spill);
  }

  // Returns a writer that continues behind the runs of blocks that have none of `quotient` or more.
  static RunWriter behind(const B& blocks, std::uint64_t quotient) noexcept {
    const Runs<B> runs(blocks);
    RunWriter writer;
    writer.home_ = quotient / 64;
    writer.start_ = runs.region_start(writer.home_);
    writer.free_ = quotient % 64 == 0 ? writer.start_ : runs.limit(quotient - 1);
    writer.occupieds_ = blocks.occupieds(writer.home_);
    return writer;
  }

  // Returns the slot for the next member of a quotient, numbered without wrapping.
  TELESCOPE_ALWAYS_INLINE std::uint64_t slot_for(std::uint64_t quotient) const noexcept {
    return std::max(free_, quotient);
  }
  std::uint64_t home() const noexcept { return home_; }    // the block of the last quotient
  std::uint64_t start() const noexcept { return start_; }  // S of that block

  // Moves on to another block, before its first quotient.
  void enter(B& blocks, std::uint64_t block) noexcept {
    blocks.set_occupieds(home_, occupieds_);
    for (std::uint64_t b = home_ + 1; b <= block; ++b) blocks.set_offset(b, free_ > 64 * b ? free_ - 64 * b : 0);
    home_ = block;
    occupieds_ = 0;
    start_ = std::max(free_, 64 * block);
  }

  // Appends a member: the slot must be slot_for(quotient), and the quotient must lie in the home block.
  TELESCOPE_ALWAYS_INLINE void append(B& blocks, std::uint64_t quotient, std::uint64_t slot) noexcept {
    runends_ &= ~(quotient == quotient_ ? runend_ : 0);  // the bit of a run's end moves along with the run
    if (TELESCOPE_UNLIKELY(slot / 64 != lane_)) enter_lane(blocks, slot / 64);
    runend_ = std::uint64_t{1} << slot % 64;
    runends_ |= runend_;
    occupieds_ |= std::uint64_t{1} << quotient % 64;
    quotient_ = quotient;
    free_ = slot + 1;
  }

  void close(B& blocks) noexcept {
    blocks.set_occupieds(home_, occupieds_);
    if (lane_ != kNone) blocks.set_runends(lane_, runends_);
    for (std::uint64_t b = home_ + 1; b < blocks.count() && free_ > 64 * b; ++b) blocks.set_offset(b, free_ - 64 * b);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  RunWriter() noexcept = default;

  TELESCOPE_NOINLINE void enter_lane(B& blocks, std::uint64_t lane) noexcept {
    if (lane_ != kNone) blocks.set_runends(lane_, runends_);
    lane_ = lane;
    runends_ = blocks.runends(lane);
  }

  std::uint64_t quotient_ = kNone;  // the last one
  std::uint64_t free_ = 0;          // the first slot behind its run
  std::uint64_t home_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t occupieds_ = 0;  // of the home block
  std::uint64_t lane_ = kNone;   // the block of the last slot
  std::uint64_t runends_ = 0;    // of that block
  std::uint64_t runend_ = 0;     // the last one's bit
};

}  // namespace telescope::inline v1::detail
