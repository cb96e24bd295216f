// Operations from bytes: one interpreter for the fuzzer and for rapidcheck. Hashes are made so that runs are long,
// remainders collide and shifts go round the circle.
#pragma once

#include <map>
#include <span>
#include <string>

#include "telescope/any_filter.hpp"

namespace telescope::testing {

class Operations {
 public:
  // The first law that the operations broke, in words; empty if none.
  static std::string run(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 4) return {};
    Operations operations(bytes[0], bytes[1], bytes[2], bytes[3]);
    for (std::size_t i = 4; i + 3 <= bytes.size() && operations.broken_.empty(); i += 3) {
      operations.step(bytes[i], static_cast<std::uint16_t>(bytes[i + 1] | bytes[i + 2] << 8));
    }
    operations.sweep();
    return operations.broken_;
  }

 private:
  Operations(unsigned kind, unsigned width, unsigned blocks, unsigned flags)
      : crowded_(flags & 2),
        filter_(std::move(AnyFilter::create(static_cast<FilterKind>(kind % 4), 4 + width % 13,
                                            {.slots = 64 * (1 + blocks % 5),
                                             .overflow = flags & 1 ? Overflow::reset : Overflow::evict}))
                    .value()) {}

  static std::uint64_t mix(std::uint64_t x) { return (x ^ x >> 29) * 0x9e3779b97f4a7c15 ^ x << 17; }

  Hash hash(std::uint16_t key) const {
    if (crowded_) return {mix(key >> 11) << 3, mix(mix(key + 1u))};  // 32 quotients
    return {mix(mix(key + 7u)), mix(key * 3u + 1u)};
  }

  Status fetch(const QuotientRange& range, MemberSink sink) const {
    const auto end = members_.upper_bound(range.last_position);
    for (auto at = members_.lower_bound(range.first_position); at != end; ++at) sink(at->second);
    return {};
  }
  std::multimap<std::uint64_t, Hash>::iterator find(const Hash& h) {
    auto [at, end] = members_.equal_range(h.position);
    while (at != end && !(at->second == h)) ++at;
    return at == end ? members_.end() : at;
  }
  void expect(bool law, const char* what) {
    if (!law && broken_.empty()) broken_ = what;
  }

  void step(unsigned op, std::uint16_t key) {
    const Hash h = hash(key);
    const auto source = [this](const QuotientRange& range, MemberSink sink) { return fetch(range, sink); };
    const auto at = find(h);
    switch (op % 8) {
      case 0:
      case 1:
      case 2: {
        const auto done = filter_.insert(h, source);
        if (done.ok()) {
          members_.emplace(h.position, h);
          expect(filter_.contains(h), "an inserted member is not found");
        } else {
          expect(done.error() == Error::full && filter_.size() == filter_.slots(),
                 "an insert failed before the filter was full");
        }
        break;
      }
      case 3: {
        const auto done = filter_.erase(h, source);
        expect(done.ok() == (at != members_.end()), "erase disagrees with the set");
        if (done.ok() && at != members_.end()) members_.erase(at);
        break;
      }
      case 4: expect(at == members_.end() || filter_.contains(h), "a member is not found"); break;
      default: {
        const bool found = filter_.contains(h);
        const auto done = filter_.adapt(h, source);
        if (at != members_.end()) {
          expect(found, "a member is not found");
          expect(filter_.kind() == FilterKind::rsqf || (!done.ok() && done.error() == Error::is_member),
                 "adapted on a member");
        } else {
          expect(done.ok(), "adapt failed");
          if (!done.ok() || filter_.kind() == FilterKind::rsqf) break;
          expect(found == (done->hits > 0), "adapt and contains see different slots");
          expect(filter_.contains(h) == (done->adapted < done->hits), "an adapt repaired other slots than it says");
        }
      }
    }
    if (++steps_ % 16 == 0) sweep();
  }

  void sweep() {
    if (const auto violation = filter_.check()) expect(false, violation->what.c_str());
    expect(filter_.size() == members_.size(), "the size is not the number of members");
    for (const auto& [position, h] : members_) expect(filter_.contains(h), "a member is lost");
  }

  bool crowded_;
  AnyFilter filter_;
  std::multimap<std::uint64_t, Hash> members_;
  std::string broken_;
  std::uint64_t steps_ = 0;
};

}  // namespace telescope::testing
