// Puts a frame behind AnyFrame. One .cpp per kind of filter includes this.
#pragma once

#include <new>
#include <utility>

#include "any_frame.hpp"
#include "telescope/detail/concurrent/concurrent_frame.hpp"
#include "telescope/detail/frame.hpp"

namespace telescope::inline v1::detail {

// An object in memory of a resource, which it gives back when it is destroyed.
template <class Base, class Held>
class Behind : public Base {
 public:
  template <class Argument>
  Behind(Argument&& argument, std::pmr::memory_resource* memory) noexcept
      : held_(std::forward<Argument>(argument)), memory_(memory) {}

  // Returns null, and takes nothing, if there is no memory.
  template <class Derived, class Argument>
  static Derived* make(std::pmr::memory_resource* memory, Argument&& argument) noexcept {
    void* const place = allocate(memory, sizeof(Derived), alignof(Derived));
    return place == nullptr ? nullptr : new (place) Derived(std::forward<Argument>(argument), memory);
  }

 protected:
  ~Behind() = default;
  template <class Derived>
  static void destroy(Derived* object) noexcept {
    std::pmr::memory_resource* const memory = object->memory_;
    object->~Derived();
    release(memory, object, sizeof(Derived), alignof(Derived));
  }

  Held held_;
  std::pmr::memory_resource* memory_;
};

// For AnyHashes: hashes that are there.
inline auto given(std::span<const Hash> hashes) noexcept {
  return [hashes](std::size_t first, std::span<Hash>) { return hashes.data() + first; };
}

template <class A>
class FrameBehind final : public Behind<AnyFrame, Frame<A>> {
  using Shared = ConcurrentFrame<A>;
  using Self = Behind<AnyFrame, Frame<A>>;
  using Self::held_;
  using Self::memory_;

 public:
  using Self::Self;

  // In memory from the frame's own allocator, which then has handed out bytes().
  static MadeFrame wrap(Result<Frame<A>> frame) noexcept {
    if (!frame) return frame.error();
    std::pmr::memory_resource* const memory = frame->options().memory;
    AnyFramePtr made(Self::template make<FrameBehind>(memory, std::move(*frame)));
    if (!made) return Error::no_memory;
    return made;
  }
  void destroy() noexcept override { Self::destroy(this); }

  MadeFrame clone() const noexcept override { return wrap(held_.clone()); }
  void clear() noexcept override { held_.clear(); }
  Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept override {
    ResizeReport report;
    auto resized = held_.resized(options, source, &report.overflow);
    if (!resized) return resized.error();
    held_ = std::move(*resized);
    return report;
  }
  MadeFrame merged(const AnyFrame& other, const MemberSource* source) const noexcept override {
    return wrap(Frame<A>::merged(held_, static_cast<const FrameBehind&>(other).held_, source));
  }
  AnyLoaderPtr load(std::uint64_t spill) noexcept override {
    auto loader = Frame<A>::Loader::with_spill(std::move(held_), spill);
    return AnyLoaderPtr(LoaderBehind::template make<LoaderBehind>(memory_, std::move(loader)));
  }
  Result<AnyResizePtr> start_resize(const FilterOptions& options) noexcept override {
    void* const place = allocate(memory_, sizeof(ResizeBehind), alignof(ResizeBehind));
    if (place == nullptr) return Error::no_memory;
    auto resize = Frame<A>::Resize::start(std::move(held_), options);
    if (resize) return AnyResizePtr(new (place) ResizeBehind(std::move(*resize), memory_));
    release(memory_, place, sizeof(ResizeBehind), alignof(ResizeBehind));
    return resize.error();
  }

  bool contains(const Regions* regions, const Hash& hash) const noexcept override {
    return regions == nullptr ? held_.contains(hash) : Shared::contains(held_, *regions, hash);
  }
  void contains(const Regions* regions, std::span<const Hash> hashes, std::uint8_t* out) const noexcept override {
    const auto get = given(hashes);
    regions == nullptr ? held_.contains_many(hashes.size(), AnyHashes(get), out)
                       : Shared::contains_many(held_, *regions, hashes.size(), AnyHashes(get), out);
  }
  Result<InsertReport> insert(const Regions* regions, const Hash& hash, const MemberSource* source,
                              BeforeCommit before_commit) noexcept override {
    return regions == nullptr ? held_.insert(hash, source)
                              : Shared::insert(held_, *regions, hash, source, before_commit);
  }
  BatchInsertReport insert(std::span<const Hash> hashes) noexcept override {
    return held_.insert_many(hashes.size(), [&](std::size_t i) { return hashes[i]; });
  }
  Result<AdaptReport> adapt(const Regions* regions, const Hash& hash, const MemberSource& source) noexcept override {
    return regions == nullptr ? held_.adapt(hash, source) : Shared::adapt(held_, *regions, hash, source);
  }
  Result<EraseReport> erase(const Regions* regions, const Hash& hash, const MemberSource& source,
                            BeforeCommit before_commit) noexcept override {
    return regions == nullptr ? held_.erase(hash, source) : Shared::erase(held_, *regions, hash, source, before_commit);
  }

  std::optional<Violation> check() const override { return held_.check(); }
  const char* quick_check() const noexcept override { return held_.quick_check(); }
  Status match(const QuotientRange& range, const MemberSource& source) const noexcept override {
    return held_.match(range.first, range.end, source);
  }
  void count_letters(std::span<std::uint64_t> counts) const noexcept override {
    held_.visit_letters([&](std::uint64_t, std::uint64_t, Letter letter) {
      ++counts[std::min<std::size_t>(letter, counts.size() - 1)];
    });
  }
  std::uint64_t size() const noexcept override { return Shared::size(held_); }
  std::uint64_t slots() const noexcept override { return held_.slots(); }
  std::uint64_t bytes() const noexcept override { return held_.bytes() + sizeof(*this); }
  std::span<const std::byte> raw() const noexcept override { return held_.raw(); }
  FilterOptions options() const noexcept override { return held_.options(); }

 private:
  friend Self;
  ~FrameBehind() = default;

  class LoaderBehind final : public Behind<AnyLoader, typename Frame<A>::Loader> {
    using Held = Behind<AnyLoader, typename Frame<A>::Loader>;
    using Held::held_;

   public:
    using Held::Held;
    void destroy() noexcept override { Held::destroy(this); }
    BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters,
                          const MemberSource* source) noexcept override {
      BatchInsertReport report;
      for (std::size_t& i = report.inserted; i < members.size(); ++i) {
        report.status = held_.add(members[i], letters.empty() ? 0 : letters[i], source);
        if (!report.status) break;
      }
      return report;
    }
    void finish(AnyFrame& origin, OverflowReport* overflow) noexcept override {
      static_cast<FrameBehind&>(origin).held_ = std::move(held_).finish(overflow);
    }

   private:
    friend Held;
    ~LoaderBehind() = default;
  };

  class ResizeBehind final : public Behind<AnyResize, typename Frame<A>::Resize> {
    using Held = Behind<AnyResize, typename Frame<A>::Resize>;
    using Held::held_;

   public:
    using Held::Held;
    void destroy() noexcept override { Held::destroy(this); }
    bool contains(const Hash& hash) const noexcept override { return held_.contains(hash); }
    void contains(std::span<const Hash> hashes, std::uint8_t* out) const noexcept override {
      const auto get = given(hashes);
      held_.contains_many(hashes.size(), AnyHashes(get), out);
    }
    Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept override {
      return held_.insert(hash, source);
    }
    Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept override {
      return held_.adapt(hash, source);
    }
    Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept override {
      return held_.erase(hash, source);
    }
    Status step(const MemberSource& source) noexcept override { return held_.step(source); }
    bool done() const noexcept override { return held_.done(); }
    std::uint64_t steps_left() const noexcept override { return held_.steps_left(); }
    void finish(AnyFrame& origin) noexcept override {
      static_cast<FrameBehind&>(origin).held_ = std::move(held_).finish();
    }
    std::uint64_t size() const noexcept override { return held_.size(); }
    std::uint64_t slots() const noexcept override { return held_.slots(); }
    std::uint64_t bytes() const noexcept override { return held_.bytes(); }

   private:
    friend Held;
    ~ResizeBehind() = default;
  };
};

// Makes a frame of policy Fixed, which is compiled for remainders of 8 bits, or of policy Any, for every other width.
template <class Fixed, class Any>
MadeFrame make_frame(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  static_assert(Fixed::kWidth == 8 && Any::kWidth == bits::kAnyWidth);
  const auto make = [&]<class A>(const A& adaptation) -> MadeFrame {
    return FrameBehind<A>::wrap(writer == nullptr
                                    ? Frame<A>::create(options, adaptation)
                                    : Frame<A>::from_writer(options, writer->size, writer->write, adaptation));
  };
  if (width < bits::kMinWidth || width > bits::kMaxWidth) return Error::bad_argument;
  return width == 8 ? make(Fixed()) : make(Any(width));
}

}  // namespace telescope::inline v1::detail
