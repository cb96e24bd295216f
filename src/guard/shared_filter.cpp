#include "shared_filter.hpp"

#include <algorithm>
#include <mutex>
#include <new>

#include "telescope/detail/block/layout.hpp"

namespace telescope::inline v1::detail {

Result<std::unique_ptr<SharedFilter>> SharedFilter::create(AnyFilter filter, const GrowthPolicy& policy) {
  if (!policy.valid()) return Error::bad_argument;
  auto regions = make_regions(filter.options());
  if (!regions) return regions.error();
  std::unique_ptr<SharedFilter> shared(new (std::nothrow) SharedFilter(std::move(filter), std::move(*regions), policy));
  if (!shared) return Error::no_memory;
  return shared;
}

// There are fewer than a concurrent filter has by default, because the store is the bottleneck of writers: 22 KB, which
// is .02 bits per member of ten million.
Result<std::unique_ptr<Regions>> SharedFilter::make_regions(const FilterOptions& options) {
  constexpr std::uint64_t kMost = 512, kLeastBlocks = 16;
  const Memory memory{options.memory, options.huge_pages};
  std::unique_ptr<Regions> regions(new (std::nothrow)
                                       Regions(options.slots / kBlockSlots, kMost, kLeastBlocks, memory));
  if (!regions || !*regions) return Error::no_memory;
  return regions;
}

template <class Op>
auto SharedFilter::without_readers(const MemberSource& source, Op op) -> decltype(op(source)) {
  FetchedMembers fetched;
  for (;;) {
    auto done = [&] {
      const std::lock_guard no_readers(read_mutex_);
      return op(MemberSource(fetched));
    }();
    if (done.ok() || !fetched.wants()) return done;
    if (const Status got = fetched.fetch(source); !got) return got.error();
  }
}

Result<InsertReport> SharedFilter::insert(const Hash& hash, const MemberSource& source, BeforeCommit before_commit) {
  {
    const std::shared_lock shared(resize_mutex_);
    if (!resize_) {
      auto inserted = frame().insert(regions_.get(), hash, &source, [&] {
        before_commit();
        return Status{};
      });
      if (inserted.ok() || inserted.error() != Error::full) return inserted;
    }
  }
  const std::lock_guard alone(resize_mutex_);
  for (;;) {
    // It is full, although it should have grown before; now it has to.
    if (!resize_ && filter_.size() == filter_.slots()) {
      if (const Status started = start(policy_.grown(filter_.slots())); !started) return started.error();
    }
    auto inserted = without_readers(source, [&](const MemberSource& fetched) -> Result<InsertReport> {
      auto done = resize_ ? resize_->insert(hash, fetched) : filter_.insert(hash, fetched);
      if (done) before_commit();
      return done;
    });
    if (inserted.ok() || inserted.error() != Error::full) return inserted;
    if (const Status moved = step(source); !moved) return moved.error();
  }
}

Result<AdaptReport> SharedFilter::adapt(const Hash& hash, const MemberSource& source) {
  {
    const std::shared_lock shared(resize_mutex_);
    if (!resize_) return frame().adapt(regions_.get(), hash, source);
  }
  const std::lock_guard alone(resize_mutex_);
  return without_readers(source, [&](const MemberSource& fetched) {
    return resize_ ? resize_->adapt(hash, fetched) : filter_.adapt(hash, fetched);
  });
}

Result<EraseReport> SharedFilter::erase(const Hash& hash, const MemberSource& source, BeforeCommit before_commit) {
  {
    const std::shared_lock shared(resize_mutex_);
    if (!resize_) {
      return frame().erase(regions_.get(), hash, source, [&] {
        before_commit();
        return Status{};
      });
    }
  }
  const std::lock_guard alone(resize_mutex_);
  return without_readers(source, [&](const MemberSource& fetched) -> Result<EraseReport> {
    auto done = resize_ ? resize_->erase(hash, fetched) : filter_.erase(hash, fetched);
    if (done) before_commit();
    return done;
  });
}

Status SharedFilter::make_room(std::uint64_t inserts, const MemberSource& source) {
  if (!growing() && size() + inserts <= grow_above_.load(std::memory_order_relaxed)) return {};
  const std::lock_guard alone(resize_mutex_);
  if (!resize_) {
    const std::uint64_t members = filter_.size() + inserts;
    if (members <= grow_above_.load(std::memory_order_relaxed)) return {};  // another thread has seen to it
    std::uint64_t slots = policy_.grown(filter_.slots());
    while (static_cast<double>(members) > policy_.at_load * static_cast<double>(slots)) slots = policy_.grown(slots);
    if (!start(slots)) {
      // Without memory it goes on with the slots that it has, and tries again a few inserts later.
      grow_above_ += (filter_.slots() - filter_.size()) / 8 + 1;
      return {};
    }
  }
  for (pace_.insert(inserts); resize_ && pace_.owes(); pace_.step()) {
    if (const Status moved = step(source); !moved) return moved;
  }
  return {};
}

Status SharedFilter::start(std::uint64_t slots) {
  FilterOptions options = filter_.options();
  const std::uint64_t room = filter_.slots() - filter_.size();
  options.slots = slots;
  auto regions = make_regions(options);
  if (!regions) return regions.error();
  const std::lock_guard no_readers(read_mutex_);
  auto resize = frame().start_resize(options);
  if (!resize) return resize.error();
  next_regions_ = std::move(*regions);
  resize_ = std::move(*resize);
  pace_.start(resize_->steps_left(), room);
  growing_ = true;
  ++growths_;
  return {};
}

Status SharedFilter::step(const MemberSource& source) {
  if (!resize_) return {};
  return without_readers(source, [&](const MemberSource& fetched) -> Status {
    const Status moved = resize_->step(fetched);
    if (moved && resize_->done()) {
      resize_->finish(frame());
      resize_.reset();
      regions_ = std::move(next_regions_);
      pace_.stop();
      set_threshold();
      growing_ = false;
    }
    return moved;
  });
}

Status SharedFilter::resize(std::uint64_t slots, const MemberSource& source) {
  if (const Status finished = finish_resize(source); !finished) return finished;
  {
    const std::lock_guard alone(resize_mutex_);
    if (resize_) return Error::bad_argument;  // an insert started one first
    if (const Status started = start(slots); !started) return started;
  }
  return finish_resize(source);
}

Status SharedFilter::finish_resize(const MemberSource& source) {
  for (;;) {
    const std::lock_guard alone(resize_mutex_);
    if (!resize_) return {};
    if (const Status moved = step(source); !moved) return moved;
  }
}

Status SharedFilter::replace(AnyFilter filter, BeforeCommit before_commit) {
  auto regions = make_regions(filter.options());
  if (!regions) return regions.error();
  const std::lock_guard alone(resize_mutex_);
  const std::lock_guard no_readers(read_mutex_);
  before_commit();
  resize_.reset();
  next_regions_.reset();
  filter_ = std::move(filter);
  regions_ = std::move(*regions);
  pace_.stop();
  set_threshold();
  growing_ = false;
  return {};
}

void SharedFilter::count_letters(std::span<std::uint64_t> counts) const {
  const std::lock_guard alone(resize_mutex_);
  if (!resize_) filter_.count_letters(counts);
}

std::uint64_t SharedFilter::size() const noexcept {
  const std::shared_lock lock(read_mutex_);
  return resize_ ? resize_->size() : frame().size();
}

std::uint64_t SharedFilter::slots() const noexcept {
  const std::shared_lock lock(read_mutex_);
  return resize_ ? resize_->slots() : filter_.slots();
}

std::uint64_t SharedFilter::bytes() const noexcept {
  const std::shared_lock lock(read_mutex_);
  return (resize_ ? resize_->bytes() : filter_.bytes()) + regions_->bytes();
}

}  // namespace telescope::inline v1::detail
