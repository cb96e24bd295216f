// Puts a frame of each width behind AnyFrame. One .cpp per filter includes this, so that they compile side by side.
#pragma once

#include <new>
#include <utility>

#include "telescope/any_filter.hpp"
#include "telescope/detail/quotient/frame.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

using MadeFrame = Result<std::unique_ptr<AnyFrame>>;

MadeFrame make_rsqf(unsigned width, const FilterOptions& options) noexcept;
MadeFrame make_taf(unsigned width, const FilterOptions& options) noexcept;
MadeFrame make_utaf(unsigned width, const FilterOptions& options) noexcept;
MadeFrame make_exaf(unsigned width, const FilterOptions& options) noexcept;

template <class A>
class AnyFrameOf final : public AnyFrame {
 public:
  explicit AnyFrameOf(Frame<A> frame) noexcept : frame_(std::move(frame)) {}

  static MadeFrame make(Result<Frame<A>> frame) noexcept {
    if (!frame) return frame.error();
    std::unique_ptr<AnyFrame> any(new (std::nothrow) AnyFrameOf(std::move(*frame)));
    if (!any) return Error::no_memory;
    return any;
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
  std::unique_ptr<AnyLoader> load() noexcept override {
    return std::unique_ptr<AnyLoader>(new (std::nothrow) Loader(std::move(frame_)));
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
  std::optional<Violation> check() const override { return frame_.check(); }
  unsigned probe_decodes(const Hash& hash) const noexcept override { return frame_.probe_decodes(hash); }
  std::uint64_t size() const noexcept override { return frame_.size(); }
  std::uint64_t slots() const noexcept override { return frame_.slots(); }
  std::uint64_t bytes() const noexcept override { return frame_.bytes(); }
  std::span<const std::byte> raw() const noexcept override { return frame_.raw(); }

 private:
  class Loader final : public AnyLoader {
   public:
    explicit Loader(Frame<A> frame) noexcept : loader_(std::move(frame)) {}
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
  };

  Frame<A> frame_;
};

// Policy<R>::type is the adaptation policy for remainders of R bits. Policies have names of their own, not one name in
// four unnamed namespaces: g++ 12 gives the generic lambda below one weak symbol for all of these, and the linker keeps
// one.
template <template <unsigned> class Policy>
MadeFrame make_frame(unsigned width, const FilterOptions& options) noexcept {
  const auto make = [&]<unsigned R>() -> MadeFrame {
    using A = typename Policy<R>::type;
    return AnyFrameOf<A>::make(Frame<A>::create(options));
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
