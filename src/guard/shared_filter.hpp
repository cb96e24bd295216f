// SharedFilter: a filter of any kind with any number of readers and writers, that grows while it serves.
//
//            steady                                        growing: two frames and a frontier (Frame::Resize)
//   readers  pass the turnstile, read as ConcurrentFrame   pass the turnstile, read as Resize
//   writers  share the mutex, lock regions of blocks;      one at a time: fetch members from the store, then close
//            the store is asked with these locked          the turnstile and commit
//
// So no reader ever waits for a store, and only while the filter grows does one wait for a writer elsewhere.
#pragma once

#include <atomic>
#include <optional>
#include <shared_mutex>

#include "fair_mutex.hpp"
#include "fetched_members.hpp"
#include "telescope/any_filter.hpp"
#include "telescope/detail/concurrent/regions.hpp"
#include "telescope/detail/move/growth_pace.hpp"
#include "telescope/growth.hpp"
#include "turnstile.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

class SharedFilter {
 public:
  // Called when an insert or erase cannot fail any more, while no other writer comes near its quotient.
  using Then = FunctionRef<void()>;

  static Result<std::unique_ptr<SharedFilter>> create(AnyFilter filter, const GrowthPolicy& policy);

  bool contains(const Hash& hash) const noexcept {
    const Turnstile::Pass pass(turnstile_);
    return resize_ ? resize_->contains(hash) : frame().contains(*regions_, hash);
  }
  void contains(std::span<const Hash> hashes, std::span<std::uint8_t> out) const noexcept {
    const Turnstile::Pass pass(turnstile_);
    resize_ ? resize_->contains_many(hashes, out.data()) : frame().contains_many(*regions_, hashes, out.data());
  }

  // Before so many inserts: starts to grow if it is time, and does the steps that they owe. If a step fails, the
  // source's error, and nothing is different; the next call tries again.
  Status make_room(std::uint64_t inserts, const MemberSource& source);

  // As Frame's. The source is asked by several threads at once, for different quotients, and must not call the filter.
  Result<InsertReport> insert(const Hash& hash, const MemberSource& source, Then then);
  Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source);
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source, Then then);

  // To another number of slots. Others go on between the steps.
  Status resize(std::uint64_t slots, const MemberSource& source);
  // Ends what an insert began.
  Status finish_resize(const MemberSource& source);

  // Another filter takes the place of this one, all at once.
  Status replace(AnyFilter filter);

  // With writers kept out and no resize under way, the filter as it is; readers go on. The caller has seen to it that
  // no insert comes in between.
  template <class Look>
  decltype(auto) frozen(Look&& look) const {
    const std::lock_guard alone(writers_);
    return std::forward<Look>(look)(filter_);
  }

  // See AnyFilter. Of a filter that grows, nothing.
  void count_letters(std::span<std::uint64_t> counts) const;

  // Right at some moment of the call.
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

  AnyFrame& frame() const noexcept { return *filter_.frame_; }
  static Result<std::unique_ptr<Regions>> make_regions(const FilterOptions& options);

  void set_threshold() noexcept {
    grow_above_ = static_cast<std::uint64_t>(policy_.at_load * static_cast<double>(filter_.slots()));
  }
  // These expect to be alone.
  Status start(std::uint64_t slots);
  Status step(const MemberSource& source);
  // op(source) with the turnstile closed, again and again until all the members it asks for are at hand.
  template <class Op>
  auto without_readers(const MemberSource& source, Op op) -> decltype(op(source));

  mutable Turnstile turnstile_;
  mutable FairMutex writers_;
  AnyFilter filter_;     // without its frame while there is a resize
  AnyResizePtr resize_;  // changes with writers_ held alone and the turnstile closed
  std::unique_ptr<Regions> regions_;
  std::unique_ptr<Regions> next_regions_;  // for the frame to come
  GrowthPolicy policy_;
  GrowthPace pace_;
  std::atomic<std::uint64_t> grow_above_ = 0;  // members
  std::atomic<bool> growing_ = false;
  std::atomic<std::uint64_t> growths_ = 0;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
