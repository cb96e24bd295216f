// A frame that grows: past a certain load each insert moves a few members to a larger frame, until all are there. No
// operation waits for all of them.
#pragma once

#include "telescope/detail/frame.hpp"
#include "telescope/detail/move/growth_pace.hpp"
#include "telescope/growth.hpp"

namespace telescope::inline v1::detail {

template <class A>
class GrowingFrame {
 public:
  using Resize = typename Frame<A>::Resize;

  // The options are those of every frame to come, but for the number of slots.
  static Result<GrowingFrame> create(const FilterOptions& options, const GrowthPolicy& policy) noexcept {
    auto frame = Frame<A>::create(options);
    if (!frame) return frame.error();
    return create(std::move(*frame), options, policy);
  }
  static Result<GrowingFrame> create(Frame<A> frame, const FilterOptions& options,
                                     const GrowthPolicy& policy) noexcept {
    if (!policy.valid()) return Error::bad_argument;
    return GrowingFrame(std::move(frame), options, policy);
  }

  TELESCOPE_ALWAYS_INLINE bool contains(const Hash& hash) const noexcept {
    return TELESCOPE_UNLIKELY(resize_.has_value()) ? resize_->contains(hash) : frame_.contains(hash);
  }
  void contains_many(std::size_t count, const AnyHashes& hashes, std::uint8_t* out) const noexcept {
    resize_ ? resize_->contains_many(count, hashes, out) : frame_.contains_many(count, hashes, out);
  }

  Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept {
    if (due()) start(policy_.grown(slots()));
    for (pace_.insert(); resize_ && pace_.owes(); pace_.step()) {
      if (!step(source)) break;  // a later insert tries again
    }
    for (;;) {
      auto inserted = resize_ ? resize_->insert(hash, source) : frame_.insert(hash, &source);
      if (inserted.ok() || inserted.error() != Error::full) return inserted;
      // Steps failed, or there was no memory for a larger frame. Without one the insert fails.
      if (!resize_) start(policy_.grown(slots()));
      const Status moved = resize_ ? step(source) : Status{*stalled_};
      if (!moved) return moved.error();
    }
  }
  Result<AdaptReport> adapt(const Hash& query, const MemberSource& source) noexcept {
    return resize_ ? resize_->adapt(query, source) : frame_.adapt(query, source);
  }
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept {
    return resize_ ? resize_->erase(hash, source) : frame_.erase(hash, source);
  }

  // Starts to resize by hand, to any number of slots that holds the members. Fails with bad_argument while a resize is
  // under way.
  Status resize(std::uint64_t slots) noexcept {
    if (resize_) return Error::bad_argument;
    start(slots);
    return resize_ ? Status{} : Status{*stalled_};
  }
  // Moves the next members, if there are any to move.
  Status step(const MemberSource& source) noexcept {
    if (!resize_) return {};
    const Status moved = resize_->step(source);
    stalled_.reset();
    if (!moved) stalled_ = moved.error();
    if (resize_->done()) {
      frame_ = std::move(*resize_).finish();
      resize_.reset();
      pace_.stop();
    }
    return moved;
  }
  bool resizing() const noexcept { return resize_.has_value(); }
  // Returns why the last step failed, or the start of one.
  std::optional<Error> stalled() const noexcept { return stalled_; }

  std::optional<Violation> check() const { return resize_ ? resize_->check() : frame_.check(); }
  std::uint64_t size() const noexcept { return resize_ ? resize_->size() : frame_.size(); }
  std::uint64_t slots() const noexcept { return resize_ ? resize_->slots() : frame_.slots(); }
  std::uint64_t bytes() const noexcept { return resize_ ? resize_->bytes() : frame_.bytes(); }

 private:
  GrowingFrame(Frame<A> frame, const FilterOptions& options, const GrowthPolicy& policy) noexcept
      : frame_(std::move(frame)), options_(options), policy_(policy) {}

  bool due() const noexcept {
    const std::uint64_t size = frame_.size();
    return !resize_ && size >= retry_at_ &&
           static_cast<double>(size + 1) > policy_.at_load * static_cast<double>(frame_.slots());
  }

  void start(std::uint64_t slots) noexcept {
    const std::uint64_t room = frame_.slots() - frame_.size();
    options_.slots = slots;
    auto resize = Resize::start(std::move(frame_), options_, policy_.step_slots);
    if (!resize) {  // the frame is still here
      stalled_ = resize.error();
      retry_at_ = frame_.size() + room / 8;
      return;
    }
    stalled_.reset();
    retry_at_ = 0;
    resize_.emplace(std::move(*resize));
    pace_.start(resize_->steps_left(), room);
  }

  Frame<A> frame_;  // while there is no resize
  std::optional<Resize> resize_;
  FilterOptions options_;
  GrowthPolicy policy_;
  GrowthPace pace_;
  std::uint64_t retry_at_ = 0;
  std::optional<Error> stalled_;
};

}  // namespace telescope::inline v1::detail
