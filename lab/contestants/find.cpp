#include <fmt/core.h>
#include <fmt/ranges.h>

#include "contestants/contestant.hpp"
#include "io/errors.hpp"
#include "measure/clocks.hpp"
#include "rivals/cached.hpp"

namespace telescope::lab {
namespace {

// A contestant as the filter behind a cache.
class Behind {
 public:
  static constexpr bool kAdapts = true;

  explicit Behind(std::unique_ptr<Contestant> contestant) : contestant_(std::move(contestant)) {}

  bool insert(std::uint64_t key) { return contestant_->insert(std::span(&key, 1)) == 1; }
  bool contains(std::uint64_t key) const { return contestant_->count(std::span(&key, 1)) == 1; }
  void adapt(std::uint64_t key, const MemberIndex& members) {
    if (contestant_->adapts()) contestant_->adapt(std::span(&key, 1), members);
  }
  std::uint64_t bits() const { return contestant_->bits(); }
  OverflowReport overflow() const { return contestant_->overflow(); }

 private:
  std::unique_ptr<Contestant> contestant_;
};

class CachedContestant final : public Contestant {
 public:
  CachedContestant(std::unique_ptr<Contestant> contestant, std::uint64_t slots)
      : cached_(Behind(std::move(contestant)), slots) {}

  std::uint64_t insert(KeySpan keys) override {
    std::uint64_t inserted = 0;
    while (inserted < keys.size() && cached_.insert(keys[inserted])) ++inserted;
    return inserted;
  }
  std::uint64_t count(KeySpan keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += cached_.query(key);
    return hits;
  }
  bool adapts() const override { return true; }
  double adapt(KeySpan false_positives, const MemberIndex& members) override {
    const Stopwatch watch;
    for (const std::uint64_t key : false_positives) cached_.adapt(key, members);
    return watch.seconds();
  }
  OverflowReport overflow() const override { return cached_.filter().overflow(); }
  std::uint64_t bits() const override { return cached_.bits(); }

 private:
  Cached<Behind> cached_;
};

ContestantFactory behind_cache(ContestantFactory factory) {
  factory.name += "+cache";
  factory.make = [make = std::move(factory.make)](const ContestantOptions& options) {
    return std::make_unique<CachedContestant>(make(options), options.slots);
  };
  return factory;
}

std::vector<ContestantFactory> named_contestants() {
  std::vector<ContestantFactory> all = our_contestants();
  for (ContestantFactory& rival : rival_contestants()) all.push_back(std::move(rival));
  return all;
}

}  // namespace

ContestantFactory find_contestant(const std::string& name) {
  constexpr std::string_view kCache = "+cache";
  if (name.ends_with(kCache)) return behind_cache(find_contestant(name.substr(0, name.size() - kCache.size())));
  if (name.find('/') != std::string::npos || name.ends_with(".so")) return peer_contestant(name);
  for (ContestantFactory& factory : named_contestants()) {
    if (factory.name == name) return std::move(factory);
  }
  if (auto any = any_contestant(name)) return std::move(*any);
  throw LabError(
      fmt::format("no filter {}: choose among {}, taf:any:WIDTH (likewise exaf, utaf, rsqf), or the file of a peer; "
                  "each may end in +cache",
                  name, fmt::join(contestant_names(), ", ")));
}

std::vector<std::string> contestant_names() {
  std::vector<std::string> names;
  for (const ContestantFactory& factory : named_contestants()) names.push_back(factory.name);
  return names;
}

}  // namespace telescope::lab
