#include "stress/walk.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

AnyFilter make(const StressConfig& config) {
  FilterOptions options;
  options.slots = config.slots;
  options.overflow = config.overflow;
  auto made = AnyFilter::create(config.kind, config.width, options);
  if (!made) throw LabError(fmt::format("{} of width {}: {}", config.filter, config.width, message(made.error())));
  return std::move(*made);
}

std::uint64_t checkpoint_interval(std::uint64_t slots) { return std::min<std::uint64_t>(1'000'000, slots * 64); }

}  // namespace

StressWalk::StressWalk(const StressConfig& config)
    : config_(config), random_(config.seed), filter_(make(config)), twin_(config.slots) {}

StressReport StressWalk::run() {
  const std::uint64_t interval = checkpoint_interval(config_.slots);
  fill(std::min(largest_target() / 20 * 19, config_.ops / 4));
  while (report_.ops < config_.ops && report_.clean()) {
    step();
    if (++report_.ops % interval == 0) checkpoint();
  }
  checkpoint();
  fill(config_.slots);
  checkpoint();
  return report_;
}

// A large filter would spend the whole walk on its way up.
void StressWalk::fill(std::uint64_t members) {
  target_ = members;
  for (; twin_.size() < members && report_.clean(); ++report_.ops) insert(random_hash(config_.shape, random_));
}

// A large filter that is full to the last slot walks far in each step: it gets there once, at the end.
std::uint64_t StressWalk::largest_target() const {
  constexpr std::uint64_t kSmall = 4096;
  return config_.slots <= kSmall ? config_.slots : config_.slots / 50 * 49;
}

// Of 256 steps: 96 inserts or erases, 64 queries of members, 64 of random negatives, 30 of near misses, 2 misuses.
void StressWalk::step() {
  const std::uint64_t choice = random_.below(256);
  if (choice < 96) return change_size();
  if (choice < 160) return query_member();
  if (choice < 224) return query_negative(random_hash(config_.shape, random_));
  if (choice < 254) {
    const auto member = twin_.some_member(random_);
    return query_negative(member ? near_miss(*member, random_) : random_hash(config_.shape, random_));
  }
  misuse();
}

void StressWalk::change_size() {
  // Now and then another target; one in four is as full as it may be.
  if (random_.below(2 * config_.slots) == 0) {
    target_ = random_.below(4) == 0 ? largest_target() : random_.below(largest_target() + 1);
  }
  const bool grow = twin_.size() < target_ ? random_.below(8) != 0 : random_.below(8) == 0;
  if (!grow) return erase_some();
  // One insert in 64 repeats a member: the set is a multiset.
  const auto member = random_.below(64) == 0 ? twin_.some_member(random_) : std::nullopt;
  insert(member ? *member : random_hash(config_.shape, random_));
}

void StressWalk::insert(const Hash& hash) {
  // Most inserts need no members; the few that do must say so and change nothing.
  auto done = random_.below(4) == 0 ? filter_.insert(hash) : filter_.insert(hash, twin_);
  if (!done && done.error() == Error::needs_members) done = filter_.insert(hash, twin_);
  if (!done) {
    if (done.error() != Error::full) return violate(fmt::format("insert: {}", message(done.error())));
    ++report_.refused;
    if (twin_.size() < config_.slots) violate("insert: refused as full while slots are free");
    return;
  }
  twin_.insert(hash);
  ++report_.inserts;
  report_.overflow += done->overflow;
  if (!filter_.contains(hash)) ++report_.false_negatives;
}

void StressWalk::erase_some() {
  const auto member = twin_.some_member(random_);
  if (!member) return;
  const auto done = filter_.erase(*member, twin_);
  if (!done) return violate(fmt::format("erase: {}", message(done.error())));
  twin_.erase(*member);
  ++report_.erases;
  report_.overflow += done->overflow;
}

void StressWalk::query_member() {
  const auto member = twin_.some_member(random_);
  if (!member) return;
  ++report_.queries;
  if (!filter_.contains(*member)) ++report_.false_negatives;
}

void StressWalk::query_negative(const Hash& hash) {
  if (twin_.holds_alike(hash)) return;
  ++report_.queries;
  if (!filter_.contains(hash)) return;
  ++report_.false_positives;
  if (config_.kind != FilterKind::rsqf) adapt(hash);
}

void StressWalk::adapt(const Hash& hash) {
  const auto done = filter_.adapt(hash, twin_);
  if (!done) return violate(fmt::format("adapt: {}", message(done.error())));
  if (done->hits == 0) violate("adapt: no slot hit by a false positive");
  ++report_.adapts;
  report_.overflow += done->overflow;
  report_.still_positive += filter_.contains(hash);
}

// What must be refused, and leave the filter as it is.
void StressWalk::misuse() {
  const Hash stranger = random_hash(config_.shape, random_);
  if (twin_.holds_alike(stranger)) return;
  if (const auto done = filter_.erase(stranger, twin_); done || done.error() != Error::not_found) {
    violate(done ? "erase: took a key that is not in the set" : fmt::format("erase: {}", message(done.error())));
  }
  const auto member = twin_.some_member(random_);
  if (!member || config_.kind == FilterKind::rsqf) return;
  if (const auto done = filter_.adapt(*member, twin_); done || done.error() != Error::is_member) {
    violate(done ? "adapt: accepted a member" : fmt::format("adapt: {}", message(done.error())));
  }
}

void StressWalk::checkpoint() {
  ++report_.checks;
  if (const auto violation = filter_.check()) violate(fmt::format("block {}: {}", violation->block, violation->what));
  if (filter_.size() != twin_.size()) violate("size differs from the twin's");
  twin_.for_each([&](const Hash& member) { report_.false_negatives += !filter_.contains(member); });
}

void StressWalk::violate(const std::string& what) {
  if (report_.violations++ == 0) report_.first_violation = fmt::format("operation {}: {}", report_.ops, what);
}

}  // namespace telescope::lab
