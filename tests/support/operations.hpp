// Operations from bytes: one interpreter for the fuzzer and for rapidcheck. Hashes are made so that runs are long,
// remainders collide and shifts go round the circle.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>

#include "telescope/any_filter.hpp"
#include "telescope/member_map.hpp"

namespace telescope::testing {

// One filter and its members, as hashes. Keys are small numbers; `crowded` makes hashes of them that share quotients.
class Operations {
 public:
  // The first law that the operations broke, in words; empty if none.
  static std::string run(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 4) return {};
    constexpr unsigned kWidths = AnyFilter::kMaxWidth - AnyFilter::kMinWidth + 1;
    Operations operations(
        static_cast<FilterKind>(bytes[0] % 4), AnyFilter::kMinWidth + bytes[1] % kWidths,
        {.slots = std::uint64_t{64} * (1 + bytes[2] % 5), .overflow = bytes[3] & 1 ? Overflow::reset : Overflow::evict},
        (bytes[3] & 2) != 0);
    for (std::size_t i = 4; i + 3 <= bytes.size() && operations.broken_.empty(); i += 3) {
      operations.step(bytes[i], static_cast<std::uint64_t>(bytes[i + 1] | bytes[i + 2] << 8));
      if (i % 48 == 1) operations.sweep();
    }
    operations.sweep();
    return operations.broken_;
  }

  Operations(FilterKind kind, unsigned width, const FilterOptions& options, bool crowded)
      : crowded_(crowded), filter_(std::move(AnyFilter::create(kind, width, options)).value()) {}

  void step(unsigned op, std::uint64_t key) {
    const Hash h = hash(key);
    switch (op % 8) {
      case 0:
      case 1:
      case 2: return insert(h, key, op % 8 == 0);
      case 3: return erase(h, key);
      case 4: return expect(!keys_.contains(key) || filter_.contains(h), "a member is not found");
      default: return adapt(h, key);
    }
  }

  void sweep() {
    if (const auto violation = filter_.check()) expect(false, violation->what.c_str());
    expect(filter_.size() == keys_.size(), "the size is not the number of members");
    for (const std::uint64_t key : keys_) expect(filter_.contains(hash(key)), "a member is lost");
  }

  const std::string& broken() const { return broken_; }
  std::uint64_t size() const { return filter_.size(); }

 private:
  static std::uint64_t mix(std::uint64_t x) { return (x ^ x >> 29) * 0x9e3779b97f4a7c15 ^ x << 17; }

  Hash hash(std::uint64_t key) const {
    if (crowded_) return {mix(key % 65536 >> 11) << 3, mix(mix(key + 1u))};  // 32 quotients
    return {mix(mix(key + 7u)), mix(key * 3u + 1u)};
  }

  void expect(bool law, const char* what) {
    if (!law && broken_.empty()) broken_ = what;
  }

  // Most inserts need no members, and the few that do say so and change nothing.
  void insert(const Hash& h, std::uint64_t key, bool without_members) {
    auto done = without_members ? filter_.insert(h) : filter_.insert(h, members_);
    if (!done && without_members && done.error() == Error::needs_members) done = filter_.insert(h, members_);
    if (!done) {
      return expect(done.error() == Error::full && filter_.size() == filter_.slots(),
                    "an insert failed before the filter was full");
    }
    keys_.insert(key);
    expect(members_.insert(h).ok() && filter_.contains(h), "an inserted member is not found");
  }

  void erase(const Hash& h, std::uint64_t key) {
    const auto at = keys_.find(key);
    const auto done = filter_.erase(h, members_);
    expect(done.ok() ? at != keys_.end() : at == keys_.end() && done.error() == Error::not_found,
           "erase disagrees with the set");
    if (done.ok() && at != keys_.end()) {
      keys_.erase(at);
      expect(members_.erase(h).ok(), "the hash of a member is not in the map");
    }
  }

  void adapt(const Hash& h, std::uint64_t key) {
    const bool found = filter_.contains(h);
    const auto done = filter_.adapt(h, members_);
    if (keys_.contains(key)) {
      expect(found, "a member is not found");
      expect(filter_.kind() == FilterKind::rsqf || (!done.ok() && done.error() == Error::is_member),
             "adapted on a member");
      return;
    }
    expect(done.ok(), "adapt failed");
    if (!done.ok() || filter_.kind() == FilterKind::rsqf) return;
    expect(found == (done->hits > 0), "adapt and contains see different slots");
    expect(filter_.contains(h) == (done->adapted < done->hits), "an adapt repaired other slots than it says");
  }

  bool crowded_;
  AnyFilter filter_;
  std::unordered_multiset<std::uint64_t> keys_;
  MemberMap members_;
  std::string broken_;
};

}  // namespace telescope::testing
