// A frame under a resize, as the twin wants it: keys in, and a hash that can crowd the members into the end of the
// ring.
#pragma once

#include "support/twin.hpp"

namespace telescope::testing {

template <class F>
class Moving {
 public:
  using Frame = typename F::Frame;
  using Resize = typename Frame::Resize;

  // All positions lie in 2^-crowding of the ring, one half before its end and the other behind.
  Moving(std::uint64_t slots, Overflow overflow, unsigned crowding)
      : frame_(std::move(*Frame::create({.slots = slots, .overflow = overflow}))), crowding_(crowding) {}

  Hash hash_of(std::uint64_t key) const {
    Hash hash = hash_(key);
    hash.position = (hash.position >> crowding_) - (std::uint64_t{1} << 63 >> crowding_);
    return hash;
  }

  Status start(std::uint64_t slots, std::uint64_t step_slots) {
    auto resize = Resize::start(std::move(frame_), {.slots = slots, .overflow = frame_.overflow()}, step_slots);
    if (!resize) return resize.error();
    resize_.emplace(std::move(*resize));
    return {};
  }
  bool moving() const { return resize_.has_value(); }
  const Resize& resize() const { return *resize_; }
  const Frame& frame() const { return frame_; }
  Status step(const MemberSource& source) {
    const Status stepped = resize_->step(source);
    if (resize_->done()) {
      frame_ = std::move(*resize_).finish();
      resize_.reset();
    }
    return stepped;
  }

  bool contains(std::uint64_t key) const {
    const Hash hash = hash_of(key);
    const bool found = resize_ ? resize_->contains(hash) : frame_.contains(hash);
    std::uint8_t batch = 7;
    const auto one = [&](std::size_t, std::span<Hash>) { return &hash; };
    const detail::AnyHashes hashes(one);
    resize_ ? resize_->contains_many(1, hashes, &batch) : frame_.contains_many(1, hashes, &batch);
    EXPECT_EQ(batch, found);
    return found;
  }
  Result<InsertReport> insert(std::uint64_t key, const MemberSource& source) {
    while (resize_) {
      auto inserted = resize_->insert(hash_of(key), source);
      if (inserted.ok() || inserted.error() != Error::full || resize_->size() == resize_->slots()) return inserted;
      if (const Status stepped = step(source); !stepped) return stepped.error();  // the old frame is full
    }
    return frame_.insert(hash_of(key), &source);
  }
  auto adapt(std::uint64_t key, const MemberSource& source) {
    return resize_ ? resize_->adapt(hash_of(key), source) : frame_.adapt(hash_of(key), source);
  }
  auto erase(std::uint64_t key, const MemberSource& source) {
    return resize_ ? resize_->erase(hash_of(key), source) : frame_.erase(hash_of(key), source);
  }
  auto check() const { return resize_ ? resize_->check() : frame_.check(); }
  std::uint64_t size() const { return resize_ ? resize_->size() : frame_.size(); }
  std::uint64_t slots() const { return resize_ ? resize_->slots() : frame_.slots(); }

 private:
  Frame frame_;
  std::optional<Resize> resize_;
  unsigned crowding_;
  Xxh3 hash_{Secret{{3, 4}}};
};

}  // namespace telescope::testing
