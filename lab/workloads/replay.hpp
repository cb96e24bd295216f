// An adversary who replays what it saw to be false. It asks fresh negatives, A in all, and between them it asks again
// what has been a false positive: the adaptivity game (section "Model and Adaptivity") with a plain strategy. A key
// that stayed negative several times in a row is given up, so its hand fills with what the filter cannot fix.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/random.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

class ReplayWorkload final : public Workload {
 public:
  static constexpr unsigned kPatience = 4;  // negative answers in a row

  struct Options {
    std::uint64_t members = 0;  // keys[0, members)
    std::uint64_t unique = 0;   // A: the keys behind
    unsigned replays = 1;       // for each fresh one
  };

  ReplayWorkload(const Options& options, Keys keys, std::uint64_t seed)
      : options_(options), keys_(keys), random_(seed) {}

  std::optional<Query> next() override {
    replaying_ = replays_due_ > 0 && !hand_.empty();
    if (replaying_) {
      --replays_due_;
      at_ = static_cast<std::size_t>(random_.below(hand_.size()));
      return Query{hand_[at_].key, true};
    }
    if (fresh_ == options_.unique) return std::nullopt;
    replays_due_ = options_.replays;
    return Query{keys_[options_.members + fresh_++], false};
  }

  void answered(bool positive) override {
    if (!replaying_) {
      if (positive) hand_.push_back({keys_[options_.members + fresh_ - 1], 0});
    } else if (positive) {
      hand_[at_].negatives = 0;
    } else if (++hand_[at_].negatives == kPatience) {
      hand_[at_] = hand_.back();
      hand_.pop_back();
    }
  }

 private:
  struct Card {
    std::uint64_t key;
    unsigned negatives;
  };

  Options options_;
  Keys keys_;
  Random random_;
  std::vector<Card> hand_;
  std::uint64_t fresh_ = 0;
  unsigned replays_due_ = 0;
  bool replaying_ = false;
  std::size_t at_ = 0;
};

}  // namespace telescope::lab
