// The runs of a range of quotients, one behind the other: each starts where the one before ended, or at its quotient.
#pragma once

#include "telescope/detail/query/runs.hpp"

namespace telescope::inline v1::detail {

template <class B>
class RunWalk {
 public:
  // Walks the quotients [first, end).
  RunWalk(const B& blocks, std::uint64_t first, std::uint64_t end) noexcept
      : blocks_(blocks), block_(first / 64), end_(end) {
    if (first >= end) return;
    region_start_ = run_end_ = Runs<B>(blocks).region_start(block_);
    occupieds_ = blocks.occupieds(block_);
    while ((occupieds_ & bits::ones(static_cast<unsigned>(first % 64))) != 0) step();
  }

  // Goes to the next run. Returns false if there is none.
  bool next() noexcept {
    while (occupieds_ == 0) {
      if (64 * (block_ + 1) >= end_) return false;
      ++block_;
      region_start_ = run_end_ = std::max(run_end_, 64 * block_);
      occupieds_ = blocks_.occupieds(block_);
    }
    if (64 * block_ + bits::countr_zero(occupieds_) >= end_) return false;
    step();
    return true;
  }

  std::uint64_t quotient() const noexcept { return quotient_; }
  const Run& run() const noexcept { return run_; }
  // Returns S of the quotient's block. To look it up behind a long run takes as many steps as the run has blocks.
  std::uint64_t region_start() const noexcept { return region_start_; }

 private:
  void step() noexcept {
    quotient_ = 64 * block_ + bits::countr_zero(occupieds_);
    occupieds_ &= occupieds_ - 1;
    const std::uint64_t first = std::max(run_end_, quotient_);
    std::uint64_t slot = first;
    std::uint64_t word = blocks_.runends(slot / 64) >> slot % 64;
    while (word == 0) {
      slot += 64 - slot % 64;
      word = blocks_.runends(slot / 64);
    }
    run_end_ = slot + bits::countr_zero(word) + 1;
    run_ = {first, run_end_};
  }

  const B& blocks_;
  std::uint64_t block_;
  std::uint64_t end_;
  std::uint64_t region_start_ = 0;
  std::uint64_t run_end_ = 0;    // one past the run before
  std::uint64_t occupieds_ = 0;  // of the block, those still to come
  std::uint64_t quotient_ = 0;
  Run run_{0, 0};
};

}  // namespace telescope::inline v1::detail
