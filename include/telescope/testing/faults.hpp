// Faults: which faults a FaultyStore injects, and how many it has injected. The test and the store share it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace telescope::inline v1 {

enum class Fault : std::uint8_t {
  none,
  before,    // the call fails, and nothing was done
  after,     // the call fails, though all was done
  torn,      // a write fails after some of its changes
  mid_scan,  // a scan fails after some records
  crashed,   // the store has crashed: the call fails, and nothing was done
  delay,     // the call takes longer, and does not fail
};
inline constexpr std::size_t kFaults = 7;

// How often faults happen, as fractions of the calls to which they apply. A call has at most one error.
struct FaultPlan {
  std::uint64_t seed = 1;  // the same seed and order of calls have the same faults
  double before = 0;
  double after = 0;
  double torn = 0;
  double mid_scan = 0;
  double delay = 0;
  std::chrono::microseconds delay_up_to{1000};
  // The n-th call from now crashes the store: it does all, part or nothing of its work and fails; every later call
  // fails and does nothing. 0 means never.
  std::uint64_t crash_at = 0;
};

// Thread-safe, without locks. What happens to a call depends on the seed and on how many calls came before it.
class Faults {
 public:
  explicit Faults(const FaultPlan& plan = {}) : plan_(plan) {}

  // While faults are off, every call passes, even of a crashed store, and none counts towards the crash.
  void turn_on() noexcept { on_.store(true); }
  void turn_off() noexcept { on_.store(false); }
  // Crashes the store now.
  void crash() noexcept { crashed_.store(true); }
  bool crashed() const noexcept { return crashed_.load(); }
  // Ends the crash. The plan's crash does not happen again.
  void revive() noexcept { crashed_.store(false); }

  std::uint64_t injected(Fault fault) const noexcept { return counts_[static_cast<std::size_t>(fault)].load(); }
  // Returns how many calls failed by an injected error.
  std::uint64_t errors() const noexcept {
    return injected(Fault::before) + injected(Fault::after) + injected(Fault::torn) + injected(Fault::mid_scan) +
           injected(Fault::crashed);
  }
  std::uint64_t calls() const noexcept { return calls_.load(); }  // while faults were on

  // What happens to one call: for the store.
  struct Fate {
    Fault fault = Fault::none;
    std::uint64_t random = 0;  // for choices within the fault
    std::chrono::microseconds delay{0};
  };
  enum class Call { other, write, scan };

  Fate next(Call call) noexcept {
    if (!on_.load(std::memory_order_relaxed)) return {};
    const std::uint64_t number = calls_.fetch_add(1) + 1;
    Fate fate{Fault::none, mix(plan_.seed ^ mix(number)), {}};
    if (crashed_.load()) {
      fate.fault = Fault::crashed;
    } else if (number == plan_.crash_at) {
      crash();
      const Fault partly = call == Call::write ? Fault::torn : call == Call::scan ? Fault::mid_scan : Fault::before;
      fate.fault = std::array{Fault::before, partly, Fault::after}[fate.random % 3];
    } else {
      fate.fault = drawn(call, fraction(mix(fate.random + 1)));
    }
    count(fate.fault);
    if (fate.fault != Fault::crashed && fraction(mix(fate.random + 2)) < plan_.delay) {
      count(Fault::delay);
      fate.delay = std::chrono::microseconds(
          static_cast<std::int64_t>(fraction(mix(fate.random + 3)) * static_cast<double>(plan_.delay_up_to.count())));
    }
    return fate;
  }

  static constexpr std::uint64_t mix(std::uint64_t x) noexcept {  // splitmix64
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

 private:
  static double fraction(std::uint64_t random) noexcept { return static_cast<double>(random >> 11) * 0x1p-53; }

  Fault drawn(Call call, double at) const noexcept {
    const struct {
      Fault fault;
      double share;
    } shares[] = {{Fault::before, plan_.before},
                  {Fault::after, plan_.after},
                  {Fault::torn, call == Call::write ? plan_.torn : 0},
                  {Fault::mid_scan, call == Call::scan ? plan_.mid_scan : 0}};
    for (const auto& [fault, share] : shares) {
      if (at < share) return fault;
      at -= share;
    }
    return Fault::none;
  }
  void count(Fault fault) noexcept { counts_[static_cast<std::size_t>(fault)].fetch_add(1); }

  FaultPlan plan_;
  std::atomic<bool> on_{true};
  std::atomic<bool> crashed_{false};
  std::atomic<std::uint64_t> calls_{0};
  std::array<std::atomic<std::uint64_t>, kFaults> counts_{};
};

}  // namespace telescope::inline v1
