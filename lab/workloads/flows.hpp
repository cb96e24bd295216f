// Packets of flows, as a link sees them: many flows at once, a few of them long. For where there is no capture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

// kAtOnce flows are under way, and each packet is of any of them. A flow has more than x packets with probability 1 / x
// (Pareto with exponent 1, up to kLongest), about eleven on average; when its last one has passed, a new flow begins.
class Flows {
 public:
  static constexpr std::uint32_t kAtOnce = 4096;
  static constexpr std::uint32_t kLongest = 1u << 16;

  explicit Flows(std::uint64_t seed = 1) : random_(seed), keys_(seed), flows_(kAtOnce) {
    for (Flow& flow : flows_) flow = start();
  }

  std::uint64_t next() {
    Flow& flow = flows_[static_cast<std::size_t>(random_.below(kAtOnce))];
    const std::uint64_t key = flow.key;
    if (--flow.packets == 0) flow = start();
    return key;
  }

 private:
  struct Flow {
    std::uint64_t key = 0;
    std::uint32_t packets = 0;
  };

  Flow start() {
    const double length = std::min<double>(kLongest, 1 / (1 - random_.uniform()));
    return {keys_[started_++], static_cast<std::uint32_t>(length)};
  }

  Random random_;
  Keys keys_;
  std::vector<Flow> flows_;
  std::uint64_t started_ = 0;
};

}  // namespace telescope::lab
