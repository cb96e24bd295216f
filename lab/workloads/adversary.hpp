// The paper's adversary (section "Adversarial tests"): a set Q of random negatives, in rounds of ten subrounds; each
// asks every element of Q. What was not a false positive in the whole round is dropped. It ends when |Q| / |S| falls to
// .01, or after a number of rounds. What counts is the false-positive rate of the last round: Q has been whittled down
// to what the filter keeps getting wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/random.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

class AdversaryWorkload final : public Workload {
 public:
  static constexpr unsigned kSubrounds = 10;
  static constexpr double kEnough = 0.01;  // |Q| / |S|

  struct Options {
    std::uint64_t members = 0;  // keys[0, members)
    std::uint64_t unique = 0;   // |Q| at first: the keys behind
    unsigned rounds = 20;       // at most
  };

  AdversaryWorkload(const Options& options, Keys keys)
      : options_(options), held_(keys.range(options.members, options.unique)), positive_(held_.size()) {}

  std::optional<Query> next() override {
    if (at_ == held_.size()) {
      at_ = 0;
      if (++subround_ == kSubrounds && !next_round()) return std::nullopt;
    }
    if (held_.empty() || round_ == options_.rounds) return std::nullopt;
    return Query{held_[at_], round_ > 0 || subround_ > 0};
  }

  void answered(bool positive) override {
    positive_[at_++] |= static_cast<std::uint8_t>(positive);
    positives_ += positive;
  }

  std::optional<LastRound> last_round() const override { return last_; }

 private:
  bool next_round() {
    const auto asked = static_cast<double>(held_.size()) * kSubrounds;
    last_.fpr = static_cast<double>(positives_) / asked;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (positive_[i] != 0) held_[kept++] = held_[i];
    }
    held_.resize(kept);
    positive_.assign(kept, 0);
    positives_ = 0;
    subround_ = 0;
    last_.held = static_cast<double>(kept) / static_cast<double>(options_.members);
    return ++round_ < options_.rounds && last_.held > kEnough;
  }

  Options options_;
  std::vector<std::uint64_t> held_;
  std::vector<std::uint8_t> positive_;  // in this round
  std::size_t at_ = 0;
  unsigned subround_ = 0, round_ = 0;
  std::uint64_t positives_ = 0;
  LastRound last_{0, 0};
};

}  // namespace telescope::lab
