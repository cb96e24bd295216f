// Puts a frame of each width behind AnyFrame. One .cpp per filter includes this, so that they compile side by side.
#pragma once

#include <new>
#include <utility>

#include "telescope/any_filter.hpp"
#include "telescope/detail/concurrent/concurrent_frame.hpp"
#include "telescope/detail/frame.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

using MadeFrame = Result<AnyFramePtr>;

MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_taf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_exaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;

template <class A>
class AnyFrameOf final : public AnyFrame {
 public:
  // In memory from the frame's own allocator, which then has handed out bytes().
  static MadeFrame make(Result<Frame<A>> frame) noexcept {
    if (!frame) return frame.error();
    std::pmr::memory_resource* const memory = frame->options().memory;
    void* const place = allocate(memory, sizeof(AnyFrameOf), alignof(AnyFrameOf));
    if (place == nullptr) return Error::no_memory;
    return AnyFramePtr(new (place) AnyFrameOf(std::move(*frame), memory));
  }
  void destroy() noexcept override {
    std::pmr::memory_resource* const memory = memory_;
    this->~AnyFrameOf();
    release(memory, this, sizeof(AnyFrameOf), alignof(AnyFrameOf));
  }

  MadeFrame clone() const noexcept override { return make(frame_.clone()); }
  void clear() noexcept override { frame_.clear(); }
  Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept override {
    ResizeReport report;
    auto resized = frame_.resized(options, source, &report.overflow);
    if (!resized) return resized.error();
    frame_ = std::move(*resized);
    return report;
  }
  MadeFrame merged(const AnyFrame& other, const MemberSource* source) const noexcept override {
    return make(Frame<A>::merged(frame_, static_cast<const AnyFrameOf&>(other).frame_, source));
  }
  AnyLoaderPtr load() noexcept override {
    void* const place = allocate(memory_, sizeof(Loader), alignof(Loader));
    return AnyLoaderPtr(place == nullptr ? nullptr : new (place) Loader(std::move(frame_), memory_));
  }

  bool contains(const Hash& hash) const noexcept override { return frame_.contains(hash); }
  void contains_many(std::span<const Hash> hashes, std::uint8_t* out) const noexcept override {
    frame_.contains_many(
        hashes.size(), [&](std::size_t i) { return hashes[i]; }, out);
  }
  Result<InsertReport> insert(const Hash& hash, const MemberSource* source) noexcept override {
    return frame_.insert(hash, source);
  }
  BatchInsertReport insert_many(std::span<const Hash> hashes) noexcept override {
    return frame_.insert_many(hashes.size(), [&](std::size_t i) { return hashes[i]; });
  }
  Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept override {
    return frame_.adapt(hash, source);
  }
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept override {
    return frame_.erase(hash, source);
  }
  bool contains(const Regions& regions, const Hash& hash) const noexcept override {
    return Shared::contains(frame_, regions, hash);
  }
  void contains_many(const Regions& regions, std::span<const Hash> hashes, std::uint8_t* out) const noexcept override {
    Shared::contains_many(
        frame_, regions, hashes.size(), [&](std::size_t i) { return hashes[i]; }, out);
  }
  Result<InsertReport> insert(const Regions& regions, const Hash& hash, const MemberSource& source,
                              FunctionRef<Status()> then) noexcept override {
    return Shared::insert(frame_, regions, hash, &source, then);
  }
  Result<AdaptReport> adapt(const Regions& regions, const Hash& hash, const MemberSource& source) noexcept override {
    return Shared::adapt(frame_, regions, hash, source);
  }
  Result<EraseReport> erase(const Regions& regions, const Hash& hash, const MemberSource& source,
                            FunctionRef<Status()> then) noexcept override {
    return Shared::erase(frame_, regions, hash, source, then);
  }
  std::uint64_t size(const Regions&) const noexcept override { return Shared::size(frame_); }
  Result<AnyResizePtr> start_resize(const FilterOptions& options) noexcept override {
    void* const place = allocate(memory_, sizeof(Resizing), alignof(Resizing));
    if (place == nullptr) return Error::no_memory;
    auto resize = Frame<A>::Resize::start(std::move(frame_), options);
    if (resize) return AnyResizePtr(new (place) Resizing(std::move(*resize), memory_));
    release(memory_, place, sizeof(Resizing), alignof(Resizing));
    return resize.error();
  }
  std::optional<Violation> check() const override { return frame_.check(); }
  const char* quick_check() const noexcept override { return frame_.quick_check(); }
  Status match(const QuotientRange& range, const MemberSource& source) const noexcept override {
    return frame_.match(range.first, range.end, source);
  }
  void count_letters(std::span<std::uint64_t> counts) const noexcept override {
    frame_.visit_letters([&](std::uint64_t, std::uint64_t, Letter letter) {
      ++counts[std::min<std::size_t>(letter, counts.size() - 1)];
    });
  }
  unsigned probe_decodes(const Hash& hash) const noexcept override { return frame_.probe_decodes(hash); }
  std::uint64_t size() const noexcept override { return frame_.size(); }
  std::uint64_t slots() const noexcept override { return frame_.slots(); }
  std::uint64_t bytes() const noexcept override { return frame_.bytes() + sizeof(*this); }
  std::span<const std::byte> raw() const noexcept override { return frame_.raw(); }
  FilterOptions options() const noexcept override { return frame_.options(); }

 private:
  using Shared = ConcurrentFrame<A>;

  AnyFrameOf(Frame<A> frame, std::pmr::memory_resource* memory) noexcept : frame_(std::move(frame)), memory_(memory) {}
  ~AnyFrameOf() = default;

  class Loader final : public AnyLoader {
   public:
    Loader(Frame<A> frame, std::pmr::memory_resource* memory) noexcept : loader_(std::move(frame)), memory_(memory) {}
    ~Loader() = default;
    void destroy() noexcept override {
      std::pmr::memory_resource* const memory = memory_;
      this->~Loader();
      release(memory, this, sizeof(Loader), alignof(Loader));
    }
    BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters,
                          const MemberSource* source) noexcept override {
      BatchInsertReport report;
      for (std::size_t& i = report.inserted; i < members.size(); ++i) {
        report.status = loader_.add(members[i], letters.empty() ? 0 : letters[i], source);
        if (!report.status) break;
      }
      return report;
    }
    void finish(AnyFrame& origin, OverflowReport* overflow) noexcept override {
      static_cast<AnyFrameOf&>(origin).frame_ = std::move(loader_).finish(overflow);
    }

   private:
    typename Frame<A>::Loader loader_;
    std::pmr::memory_resource* memory_;
  };

  class Resizing final : public AnyResize {
   public:
    Resizing(typename Frame<A>::Resize resize, std::pmr::memory_resource* memory) noexcept
        : resize_(std::move(resize)), memory_(memory) {}
    ~Resizing() = default;
    void destroy() noexcept override {
      std::pmr::memory_resource* const memory = memory_;
      this->~Resizing();
      release(memory, this, sizeof(Resizing), alignof(Resizing));
    }
    bool contains(const Hash& hash) const noexcept override { return resize_.contains(hash); }
    void contains_many(std::span<const Hash> hashes, std::uint8_t* out) const noexcept override {
      resize_.contains_many(
          hashes.size(), [&](std::size_t i) { return hashes[i]; }, out);
    }
    Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept override {
      return resize_.insert(hash, source);
    }
    Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept override {
      return resize_.adapt(hash, source);
    }
    Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept override {
      return resize_.erase(hash, source);
    }
    Status step(const MemberSource& source) noexcept override { return resize_.step(source); }
    bool done() const noexcept override { return resize_.done(); }
    std::uint64_t steps_left() const noexcept override { return resize_.steps_left(); }
    void finish(AnyFrame& origin) noexcept override {
      static_cast<AnyFrameOf&>(origin).frame_ = std::move(resize_).finish();
    }
    std::uint64_t size() const noexcept override { return resize_.size(); }
    std::uint64_t slots() const noexcept override { return resize_.slots(); }
    std::uint64_t bytes() const noexcept override { return resize_.bytes(); }

   private:
    typename Frame<A>::Resize resize_;
    std::pmr::memory_resource* memory_;
  };

  Frame<A> frame_;
  std::pmr::memory_resource* memory_;  // of this object; the frame may be away
};

// Policy<R>::type is the adaptation policy for remainders of R bits. Policies have names of their own, not one name in
// four unnamed namespaces: g++ 12 gives the generic lambda below one weak symbol for all of these, and the linker keeps
// one.
template <template <unsigned> class Policy>
MadeFrame make_frame(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  const auto make = [&]<unsigned R>() -> MadeFrame {
    using A = typename Policy<R>::type;
    return AnyFrameOf<A>::make(writer == nullptr ? Frame<A>::create(options)
                                                 : Frame<A>::from_writer(options, writer->size, writer->write));
  };
  MadeFrame made = Error::bad_argument;
  const auto pick = [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) {
    (void)((width == AnyFilter::kMinWidth + I && (made = make.template operator()<AnyFilter::kMinWidth + I>(), true)) ||
           ...);
  };
  pick(std::make_integer_sequence<unsigned, AnyFilter::kMaxWidth - AnyFilter::kMinWidth + 1>());
  return made;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
