// The checked twin: a plain multiset of hashes, bucketed by quotient, that mirrors every call into a filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <telescope/members.hpp>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

class Twin {
 public:
  explicit Twin(std::uint64_t slots) : buckets_(static_cast<std::size_t>(slots)) {}

  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t quotient(std::uint64_t position) const noexcept {
    return static_cast<std::uint64_t>((static_cast<Uint128>(position) * buckets_.size()) >> 64);
  }

  void insert(const Hash& hash) {
    bucket(hash).push_back(hash);
    ++size_;
  }

  bool erase(const Hash& hash) {
    auto& held = bucket(hash);
    const auto found = std::find(held.begin(), held.end(), hash);
    if (found == held.end()) return false;
    *found = held.back();
    held.pop_back();
    --size_;
    return true;
  }

  // A member that no remainder can tell from `hash`: itself, or one with the same W in the same run.
  bool holds_alike(const Hash& hash) const {
    const auto& held = buckets_[static_cast<std::size_t>(quotient(hash.position))];
    return std::any_of(held.begin(), held.end(),
                       [&](const Hash& member) { return member.fingerprint == hash.fingerprint; });
  }

  // Any member, if there is one within reach of a random quotient.
  std::optional<Hash> some_member(Random& random) const {
    constexpr std::size_t kReach = 256;
    std::size_t at = static_cast<std::size_t>(random.below(buckets_.size()));
    for (std::size_t step = 0; size_ > 0 && step < kReach; ++step, ++at) {
      if (at == buckets_.size()) at = 0;
      const auto& held = buckets_[at];
      if (!held.empty()) return held[static_cast<std::size_t>(random.below(held.size()))];
    }
    return std::nullopt;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& held : buckets_) {
      for (const Hash& member : held) visit(member);
    }
  }

  // A MemberSource. It goes by quotients and answers an error if the range of positions says otherwise.
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    if (range.first > range.end || range.end > buckets_.size()) return Error::bad_argument;
    for (std::uint64_t q = range.first; q < range.end; ++q) {
      for (const Hash& member : buckets_[static_cast<std::size_t>(q)]) {
        if (member.position < range.first_position || member.position > range.last_position) return Error::bad_argument;
        sink(member);
      }
    }
    const bool tight = range.first == range.end || (quotient(range.first_position) == range.first &&
                                                    quotient(range.last_position) + 1 == range.end);
    return tight ? Status() : Status(Error::bad_argument);
  }

 private:
  std::vector<Hash>& bucket(const Hash& hash) { return buckets_[static_cast<std::size_t>(quotient(hash.position))]; }

  std::vector<std::vector<Hash>> buckets_;
  std::uint64_t size_ = 0;
};

}  // namespace telescope::lab
