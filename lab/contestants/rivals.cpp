// Rivals as contestants: each loop is instantiated for its filter, so a key costs no indirect call.
#include "rivals/rivals.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "contestants/contestant.hpp"
#include "contestants/make_filter.hpp"
#include "io/errors.hpp"

namespace telescope::lab {
namespace {

template <class R>
class RivalContestant final : public Contestant {
 public:
  RivalContestant(std::uint64_t slots, std::uint64_t seed) : slots_(slots), rival_(slots, experiment_hash(seed)) {}

  void fill(std::span<const std::uint64_t> keys) override {
    for (const std::uint64_t key : keys) {
      if (!rival_.insert(key)) throw LabError(fmt::format("{} is full: lower the load", R::kName));
    }
  }

  std::uint64_t count(std::span<const std::uint64_t> keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += rival_.contains(key);
    return hits;
  }

  // Members are in memory, so the whole of an adapt is on the clock.
  AdaptCost adapt_on(const Negatives& negatives, const MemberIndex&, const Counters& counters) override {
    AdaptCost adapted;
    if constexpr (R::kAdapts) {
      for (std::uint64_t i = 0; i < negatives.count; i += kChunk) {
        const auto positives = positives_of(negatives, i, std::min<std::uint64_t>(kChunk, negatives.count - i));
        const Lap lap(counters);
        for (const std::uint64_t key : positives) rival_.adapt(key);
        adapted.cost += lap.stop();
        adapted.adapts += positives.size();
      }
    }
    return adapted;
  }

  double bits_per_slot() const override { return static_cast<double>(rival_.bits()) / static_cast<double>(slots_); }

 private:
  static constexpr std::uint64_t kChunk = 1u << 16;

  std::vector<std::uint64_t> positives_of(const Negatives& negatives, std::uint64_t from, std::uint64_t count) const {
    std::vector<std::uint64_t> positives;
    for (std::uint64_t i = from; i < from + count; ++i) {
      const std::uint64_t key = negatives.keys[negatives.first + i];
      if (rival_.contains(key)) positives.push_back(key);
    }
    return positives;
  }

  std::uint64_t slots_;
  R rival_;
};

template <class R>
class RivalEntry final : public Entry {
 public:
  std::string name() const override { return std::string(R::kName); }
  bool ours() const override { return true; }
  std::unique_ptr<Contestant> make(std::uint64_t slots, std::uint64_t seed) const override {
    return std::make_unique<RivalContestant<R>>(slots, seed);
  }
};

}  // namespace

std::vector<std::string> rival_names() {
  std::vector<std::string> names;
  Rivals::for_each([&]<class R>(std::type_identity<R>) { names.emplace_back(R::kName); });
  return names;
}

std::unique_ptr<Entry> make_rival_entry(const std::string& name) {
  std::unique_ptr<Entry> made;
  Rivals::for_each([&]<class R>(std::type_identity<R>) {
    if (R::kName == name) made = std::make_unique<RivalEntry<R>>();
  });
  if (made == nullptr)
    throw LabError(fmt::format("no rival {}: choose among {}", name, fmt::join(rival_names(), ", ")));
  return made;
}

}  // namespace telescope::lab
