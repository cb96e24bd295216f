// Rivals as contestants: each loop is instantiated for its filter, so a key costs no indirect call.
#include "rivals/rivals.hpp"

#include "contestants/contestant.hpp"
#include "contestants/make_filter.hpp"
#include "measure/clocks.hpp"

namespace telescope::lab {
namespace {

template <class R>
class RivalContestant final : public Contestant {
 public:
  explicit RivalContestant(const ContestantOptions& options) : rival_(options.slots, experiment_hash(options.seed)) {}

  std::uint64_t insert(KeySpan keys) override {
    std::uint64_t inserted = 0;
    while (inserted < keys.size() && rival_.insert(keys[inserted])) ++inserted;
    return inserted;
  }
  std::uint64_t count(KeySpan keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += rival_.contains(key);
    return hits;
  }
  bool adapts() const override { return R::kAdapts; }
  // A rival keeps its members in memory, so the whole of an adapt is on the clock.
  double adapt(KeySpan false_positives, const MemberIndex&) override {
    const Stopwatch watch;
    if constexpr (R::kAdapts) {
      for (const std::uint64_t key : false_positives) rival_.adapt(key);
    }
    return watch.seconds();
  }
  std::uint64_t bits() const override { return rival_.bits(); }

 private:
  R rival_;
};

}  // namespace

std::vector<ContestantFactory> rival_contestants() {
  std::vector<ContestantFactory> all;
  Rivals::for_each([&]<class R>(std::type_identity<R>) {
    const auto make = [](const ContestantOptions& options) { return std::make_unique<RivalContestant<R>>(options); };
    all.push_back({.name = std::string(R::kName), .make = make});
  });
  return all;
}

}  // namespace telescope::lab
