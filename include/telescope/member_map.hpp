// The members of a filter, kept in memory: for tests, for examples, and for sets that need no database.
//
//   MemberMap members;
//   filter.insert(key, members);           // a MemberSource, since it can be called as one
//   members.insert(filter.hash_of(key));   // the members change after the filter has
#pragma once

#include <cstdint>
#include <new>
#include <set>

#include "telescope/members.hpp"

namespace telescope::inline v1 {

// A multiset of hashes in order of position, then of fingerprint, about 48 bytes for each. Nothing throws. Any number
// of threads may use the const functions at once; insert, erase and clear need the map for themselves.
class MemberMap {
 public:
  // Adds one member; equal hashes are kept apart. Fails with no_memory, and then nothing has changed. O(log n).
  Status insert(const Hash& member) noexcept {
    try {
      members_.insert(member);
      return {};
    } catch (const std::bad_alloc&) {
      return Error::no_memory;
    }
  }

  // Removes one of the members that equal this one. Fails with not_found. O(log n).
  Status erase(const Hash& member) noexcept {
    const auto at = members_.find(member);
    if (at == members_.end()) return Error::not_found;
    members_.erase(at);
    return {};
  }

  void clear() noexcept { members_.clear(); }
  std::uint64_t size() const noexcept { return members_.size(); }

  // Keeps the laws of a MemberSource: shows the sink the members of the range, in order of position. Never fails.
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    const auto end = members_.upper_bound(range.last_position);
    for (auto at = members_.lower_bound(range.first_position); at != end; ++at) sink(*at);
    return {};
  }

 private:
  struct ByPosition {
    using is_transparent = void;
    bool operator()(const Hash& a, const Hash& b) const noexcept {
      return a.position != b.position ? a.position < b.position : a.fingerprint < b.fingerprint;
    }
    bool operator()(const Hash& a, std::uint64_t position) const noexcept { return a.position < position; }
    bool operator()(std::uint64_t position, const Hash& b) const noexcept { return position < b.position; }
  };

  std::multiset<Hash, ByPosition> members_;
};

}  // namespace telescope::inline v1
