// SharedFilter: a filter of any kind with any number of readers and writers, that grows while it serves.
//
//            steady                                      growing: two frames and a frontier (Frame::Resize)
//   readers  share read_mutex_, read as ConcurrentFrame  share read_mutex_, read as Resize
//   writers  share resize_mutex_, lock regions of        hold resize_mutex_ alone: fetch members from the store,
//            blocks, ask the store with these locked     then hold read_mutex_ alone and commit
//
// So no reader ever waits for a store, and a reader waits for a writer elsewhere only while the filter grows.
//
// GrowingFrame (detail/move/growing.hpp) grows in the same way, for one thread and one type of frame. The two share
// GrowthPolicy and GrowthPace but not their loops: this one fetches members before it locks readers out, looks again
// whether another thread was faster, and changes the regions with the frame.
#pragma once

#include <atomic>
#include <optional>
#include <shared_mutex>

#include "../any/any_frame.hpp"
#include "fetched_members.hpp"
#include "striped_shared_mutex.hpp"
#include "telescope/detail/block/regions.hpp"
#include "telescope/detail/lock_order.hpp"
#include "telescope/detail/move/growth_pace.hpp"
#include "telescope/growth.hpp"

namespace telescope::inline v1::detail {

class SharedFilter {
 public:
  // Called when an insert or erase can no longer fail, while no other writer can change its quotient.
  using BeforeCommit = FunctionRef<void()>;

  // Fails with bad_argument if the policy is not valid, and with no_memory.
  static Result<std::unique_ptr<SharedFilter>> create(AnyFilter filter, const GrowthPolicy& policy);

  bool contains(const Hash& hash) const noexcept {
    const std::shared_lock lock(read_mutex_);
    return resize_ ? resize_->contains(hash) : frame().contains(regions_.get(), hash);
  }
  void contains(std::span<const Hash> hashes, std::span<std::uint8_t> out) const noexcept {
    const std::shared_lock lock(read_mutex_);
    resize_ ? resize_->contains(hashes, out.data()) : frame().contains(regions_.get(), hashes, out.data());
  }

  // To be called before so many inserts. Starts to grow if it is time, and does the steps that these inserts owe. Fails
  // as the source does when a step fails; then nothing has changed, and the next call tries again.
  Status make_room(std::uint64_t inserts, const MemberSource& source);

  // As those of Frame. Several threads may ask the source at once, for different quotients; it must not call the
  // filter.
  Result<InsertReport> insert(const Hash& hash, const MemberSource& source, BeforeCommit before_commit);
  Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source);
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source, BeforeCommit before_commit);

  // Moves the members to a frame with another number of slots. Other operations go on between the steps. Fails with
  // bad_argument, full or no_memory, and as the source does.
  Status resize(std::uint64_t slots, const MemberSource& source);
  // Does all the steps that are left. Fails as the source does.
  Status finish_resize(const MemberSource& source);

  // Puts another filter in the place of this one, all at once, and calls before_commit at that moment. Fails with
  // no_memory.
  Status replace(AnyFilter filter, BeforeCommit before_commit);

  // Calls look(filter) while writers wait; readers go on. There must be no resize under way: the caller has called
  // finish_resize and keeps inserts out.
  template <class Look>
  decltype(auto) frozen(Look&& look) const {
    const std::lock_guard alone(resize_mutex_);
    return std::forward<Look>(look)(filter_);
  }

  // As AnyFilter::count_letters; counts nothing while the filter grows.
  void count_letters(std::span<std::uint64_t> counts) const;

  // Each is right at some moment of the call.
  std::uint64_t size() const noexcept;
  std::uint64_t slots() const noexcept;
  std::uint64_t bytes() const noexcept;
  bool growing() const noexcept { return growing_.load(std::memory_order_relaxed); }
  std::uint64_t growths() const noexcept { return growths_.load(std::memory_order_relaxed); }

 private:
  SharedFilter(AnyFilter filter, std::unique_ptr<Regions> regions, const GrowthPolicy& policy) noexcept
      : filter_(std::move(filter)), regions_(std::move(regions)), policy_(policy) {
    set_threshold();
  }

  AnyFrame& frame() const noexcept { return AnyAccess::frame(filter_); }
  static Result<std::unique_ptr<Regions>> make_regions(const FilterOptions& options);

  void set_threshold() noexcept {
    grow_above_ = static_cast<std::uint64_t>(policy_.at_load * static_cast<double>(filter_.slots()));
  }
  // The caller holds resize_mutex_ alone.
  Status start(std::uint64_t slots);
  Status step(const MemberSource& source);
  // Calls op(source) with read_mutex_ held alone, again and again until all the members that it asks for are fetched.
  template <class Op>
  auto without_readers(const MemberSource& source, Op op) -> decltype(op(source));

  // Which frame or resize there is changes with both held alone.
  mutable Ranked<StripedSharedMutex, LockRank::resize> resize_mutex_;
  mutable Ranked<StripedSharedMutex, LockRank::readers> read_mutex_;
  AnyFilter filter_;  // without its frame while there is a resize
  AnyResizePtr resize_;
  std::unique_ptr<Regions> regions_;
  std::unique_ptr<Regions> next_regions_;  // for the frame to come
  GrowthPolicy policy_;
  GrowthPace pace_;
  std::atomic<std::uint64_t> grow_above_ = 0;  // members
  std::atomic<bool> growing_ = false;
  std::atomic<std::uint64_t> growths_ = 0;
};

}  // namespace telescope::inline v1::detail
