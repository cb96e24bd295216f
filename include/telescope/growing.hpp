// Growing<Taf<8>>: a filter that grows while it serves.
//
//   auto filter = *Growing<Taf<8>>::create({.slots = 1 << 16}, {.at_load = 0.9, .factor = 2});
//   filter.insert(key, members);   // moves some members to the larger frame, when it is time
//
// Every insert takes a member source, since any insert may be the one that grows the filter. The laws are those of
// Filter at every moment, also while the filter grows.
//
// From the load `at_load` on there are two frames. Each insert moves a few members from the old frame to the new one,
// in order of position, with their letters, so that repaired false positives stay repaired. The move ends at the latest
// when half of the slots are used that were free when it began. If there is no memory for the new frame, or the source
// fails, inserts go on in the old frame, stalled() returns the error, and when the old frame is full insert returns it.
//
// Threads: as for Filter, any number of readers or one writer. A Guard (telescope/guard.hpp) grows under many of both.
#pragma once

#include "telescope/detail/move/growing.hpp"
#include "telescope/filter.hpp"

namespace telescope::inline v1 {

template <class F>
class Growing;

template <class Adaptation, KeyHash H>
class Growing<Filter<Adaptation, H>> {
 public:
  using Filter = telescope::Filter<Adaptation, H>;
  static constexpr unsigned kWidth = Filter::kWidth;
  static constexpr bool kAdapts = Filter::kAdapts;

  // Returns an empty filter. Fails with bad_argument if the options or the policy are out of range, and with no_memory.
  static Result<Growing> create(const FilterOptions& options, const GrowthPolicy& policy = {}, H hash = H()) noexcept {
    auto frame = Frame::create(options, policy);
    if (!frame) return frame.error();
    return Growing(std::move(*frame), std::move(hash));
  }
  // Takes over a filter with its members. All later frames have these options, but for the number of slots.
  static Result<Growing> create(Filter filter, const FilterOptions& options, const GrowthPolicy& policy = {}) noexcept {
    auto frame = Frame::create(std::move(filter.frame_), options, policy);
    if (!frame) return frame.error();
    return Growing(std::move(*frame), std::move(filter.hash_));
  }

  template <Key K>
  Hash hash_of(const K& key) const noexcept {
    return Filter::hash_key(hash_, key);
  }

  // Returns false if the key is surely absent, true if it may be present.
  template <Key K>
  bool contains(const K& key) const noexcept {
    return frame_.contains(hash_of(key));
  }
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // Inserts, adapts and erases as Filter does, with the same errors. The source of an insert yields the members so far,
  // without this key; that of an erase still yields the member.
  template <Key K>
  Result<InsertReport> insert(const K& key, const MemberSource& source) noexcept {
    return frame_.insert(hash_of(key), source);
  }
  template <Key K>
  Result<AdaptReport> adapt(const K& key, const MemberSource& source) noexcept {
    return frame_.adapt(hash_of(key), source);
  }
  template <Key K>
  Result<EraseReport> erase(const K& key, const MemberSource& source) noexcept {
    return frame_.erase(hash_of(key), source);
  }

  // Starts to move to any number of slots that holds the members, larger or smaller. Inserts then move members, and so
  // does step(). Fails with bad_argument if `slots` is out of range or a resize is under way, with full if the members
  // would not fit, and with no_memory.
  Status resize(std::uint64_t slots) noexcept { return frame_.resize(slots); }
  // Moves the members of about GrowthPolicy::step_slots slots, if a resize is under way. Fails with the error of the
  // source, disagree or no_memory; all members are found as before.
  Status step(const MemberSource& source) noexcept { return frame_.step(source); }
  bool resizing() const noexcept { return frame_.resizing(); }
  // Returns the error of the last step, or of the start of a resize, if it failed.
  std::optional<Error> stalled() const noexcept { return frame_.stalled(); }

  std::optional<Violation> check() const { return frame_.check(); }
  std::uint64_t size() const noexcept { return frame_.size(); }
  std::uint64_t slots() const noexcept { return frame_.slots(); }  // of the new frame, while there are two
  std::uint64_t bytes() const noexcept { return frame_.bytes(); }  // of both frames, while there are two
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  const H& hash() const noexcept { return hash_; }

 private:
  using Frame = detail::GrowingFrame<Adaptation>;

  Growing(Frame frame, H hash) noexcept : frame_(std::move(frame)), hash_(std::move(hash)) {}

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    const detail::KeyHashes<K, H> hashes(keys, hash_);
    frame_.contains_many(keys.size(), detail::AnyHashes(hashes), out.data());
  }

  Frame frame_;
  H hash_;
};

}  // namespace telescope::inline v1
