// Growing<Taf<8>>: a filter that grows while it serves.
//
//   auto filter = *Growing<Taf<8>>::create({.slots = 1 << 16}, {.at_load = 0.9, .factor = 2});
//   filter.insert(key, members);   // moves some members along, when it is time
//
// For a filter in front of a store, which can yield the members: every insert takes the source, since any may be the
// one that grows the filter. Queries are right at every moment, and so are adapts and erases.
//
// From `at_load` on there are two frames, and each insert moves a few members from the old to the new, in order of
// position; letters go along. It is done when half of the old frame's last free slots are used. If the new frame's
// memory is not to be had, or the source fails, inserts go on in the old one, and say so when that is full; stalled()
// tells before.
#pragma once

#include "telescope/detail/move/growing.hpp"
#include "telescope/filter.hpp"

namespace telescope {
inline namespace v1 {

template <class F>
class Growing;

template <class Adaptation, KeyHash H>
class Growing<Filter<Adaptation, H>> {
 public:
  using Filter = telescope::Filter<Adaptation, H>;
  static constexpr unsigned kWidth = Filter::kWidth;
  static constexpr bool kAdapts = Filter::kAdapts;

  static Result<Growing> create(const FilterOptions& options, const GrowthPolicy& policy = {}, H hash = H()) noexcept {
    auto frame = Frame::create(options, policy);
    if (!frame) return frame.error();
    return Growing(std::move(*frame), std::move(hash));
  }
  // Takes over a filter with its members. The options are those of every frame to come, but for the number of slots.
  static Result<Growing> create(Filter filter, const FilterOptions& options, const GrowthPolicy& policy = {}) noexcept {
    auto frame = Frame::create(std::move(filter.frame_), options, policy);
    if (!frame) return frame.error();
    return Growing(std::move(*frame), std::move(filter.hash_));
  }

  template <Key K>
  Hash hash_of(const K& key) const noexcept {
    return Filter::hash_key(hash_, key);
  }

  template <Key K>
  bool contains(const K& key) const noexcept {
    return frame_.contains(hash_of(key));
  }
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const noexcept { batch(keys, out); }
  void contains(std::span<const std::string_view> keys, std::span<std::uint8_t> out) const noexcept {
    batch(keys, out);
  }

  // The source yields the members so far, without this key.
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

  // By hand: starts to move to any number of slots that holds the members, larger or smaller. Inserts then move members
  // along, and so does each step. bad_argument while a resize is under way.
  Status resize(std::uint64_t slots) noexcept { return frame_.resize(slots); }
  // Moves the members of about `step_slots` slots. After an error everything is found as before.
  Status step(const MemberSource& source) noexcept { return frame_.step(source); }
  bool resizing() const noexcept { return frame_.resizing(); }
  // Why the last step failed, or the start of a resize.
  std::optional<Error> stalled() const noexcept { return frame_.stalled(); }

  std::optional<Violation> check() const { return frame_.check(); }
  std::uint64_t size() const noexcept { return frame_.size(); }
  std::uint64_t slots() const noexcept { return frame_.slots(); }  // of the new frame, while there are two
  std::uint64_t bytes() const noexcept { return frame_.bytes(); }  // of both
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  const H& hash() const noexcept { return hash_; }

 private:
  using Frame = detail::GrowingFrame<Adaptation>;

  Growing(Frame frame, H hash) noexcept : frame_(std::move(frame)), hash_(std::move(hash)) {}

  template <class K>
  void batch(std::span<const K> keys, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= keys.size());
    frame_.contains_many(
        keys.size(), [&](std::size_t i) { return hash_(keys[i]); }, out.data());
  }

  Frame frame_;
  H hash_;
};

}  // namespace v1
}  // namespace telescope
