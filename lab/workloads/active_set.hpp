// FireHose's active-set generator: 131,072 live keys, each asked some number of times with a trend (rarely, often,
// rarely), then replaced by a new one.
//
//   ring of 16,384 slots, a stack of elements in each; time goes round the ring
//   an element is emitted, and goes to the slot `delay` ahead; the delay is a bell curve over its life, upside down
//
// Stacks hold the elements themselves: popping reads memory in order, and pushing waits for nobody. (Linked lists,
// which say the same, chase pointers over megabytes: six times slower.)
//
// Lifetimes come from a table that falls with a power of its index. The paper sets that power, POW_EXP, to 0.5; see
// docs/lab.md for what its sign does.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "workloads/rand_r.hpp"

namespace telescope::lab {

class ActiveSet {
 public:
  static constexpr double kDefaultExponent = -0.5;

  explicit ActiveSet(double exponent = kDefaultExponent, std::uint32_t seed = kFirehoseSeed)
      : random_(seed), id_seed_(random_.next()), lifetimes_(lifetimes(exponent)), delays_(delays()) {
    for (std::uint32_t e = 0; e < kActive; ++e) push_new();
  }

  std::uint64_t next() {
    while (due_.empty()) {
      now_ = (now_ + 1) % kRing;
      due_.swap(ring_[now_]);  // which leaves the slot an empty stack, with room
    }
    Element element = due_.back();
    due_.pop_back();
    const std::uint64_t key = element.key;
    if (++element.count >= element.total) {
      push_new();
    } else {
      push(element, now_ + delays_[element.count * kTrend / element.total]);
    }
    return key;
  }

 private:
  static constexpr std::uint32_t kRing = 16'384, kActive = 131'072, kLifetimes = 65'536, kTrend = 1'024;

  struct Element {
    std::uint64_t key;
    std::uint32_t total, count;  // emissions: in its life, so far
  };

  static std::vector<std::uint32_t> lifetimes(double exponent) {
    const double least = std::pow(kLifetimes, exponent);
    std::vector<std::uint32_t> table(kLifetimes);
    for (std::uint32_t i = 1; i <= kLifetimes; ++i) {
      const double height = (std::pow(i, exponent) - least) / (1 - least);
      table[i - 1] = static_cast<std::uint32_t>(kLifetimes * height) + 1;
    }
    return table;
  }

  // The bell is a difference of two logistic curves.
  static std::array<std::uint32_t, kTrend> delays() {
    std::array<double, kTrend> bell{};
    double top = 0;
    for (std::uint32_t i = 0; i < kTrend; ++i) {
      const double x = 12.0 * i / kTrend;
      bell[i] = 1 / (1 + std::exp(2 - x)) - 1 / (1 + std::exp(5 - x));
      top = std::fmax(top, bell[i]);
    }
    std::array<std::uint32_t, kTrend> made{};
    for (std::uint32_t i = 0; i < kTrend; ++i) {
      const auto delay = static_cast<std::uint32_t>(8192 * (top - bell[i]) / top);
      made[i] = delay == 0 ? 1 : delay;
    }
    return made;
  }

  // Bob Jenkins' hash of 1996, of the eight bytes of a counter.
  static std::uint32_t jenkins(std::uint64_t counter, std::uint32_t start) noexcept {
    std::uint32_t a = 0x9e3779b9 + static_cast<std::uint32_t>(counter);
    std::uint32_t b = 0x9e3779b9 + static_cast<std::uint32_t>(counter >> 32);
    std::uint32_t c = start + 8;
    const auto round = [&](unsigned x, unsigned y, unsigned z) {
      a -= b, a -= c, a ^= c >> x;
      b -= c, b -= a, b ^= a << y;
      c -= a, c -= b, c ^= b >> z;
    };
    round(13, 8, 13);
    round(12, 16, 5);
    round(3, 10, 15);
    return c;
  }

  void push_new() {
    const std::uint64_t high = jenkins(born_, id_seed_);
    const std::uint64_t key = high << 32 | jenkins(born_, id_seed_ + 1);
    ++born_;
    const std::uint32_t total = lifetimes_[random_.next() % kLifetimes];
    push({key, total, 0}, random_.next() % kRing);
  }

  void push(const Element& element, std::uint32_t slot) { ring_[slot % kRing].push_back(element); }

  RandR random_;
  std::uint32_t id_seed_;
  std::uint64_t born_ = 0;
  std::vector<std::uint32_t> lifetimes_;
  std::array<std::uint32_t, kTrend> delays_;
  std::vector<std::vector<Element>> ring_{kRing};
  std::vector<Element> due_;
  std::uint32_t now_ = 0;
};

}  // namespace telescope::lab
