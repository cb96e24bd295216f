// Puts a frame of each width behind AnyFrame. One .cpp per filter includes this, so that they compile side by side.
#pragma once

#include <new>
#include <utility>

#include "telescope/any_filter.hpp"
#include "telescope/detail/quotient/frame.hpp"

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
  static MadeFrame make(Frame<A> frame) noexcept {
    void* const place = allocate(frame.options().memory, sizeof(AnyFrameOf), alignof(AnyFrameOf));
    if (place == nullptr) return Error::no_memory;
    return AnyFramePtr(new (place) AnyFrameOf(std::move(frame)));
  }
  void destroy() noexcept override {
    std::pmr::memory_resource* const memory = frame_.options().memory;
    this->~AnyFrameOf();
    release(memory, this, sizeof(AnyFrameOf), alignof(AnyFrameOf));
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
  const char* quick_check() const noexcept override { return frame_.quick_check(); }
  unsigned probe_decodes(const Hash& hash) const noexcept override { return frame_.probe_decodes(hash); }
  std::uint64_t size() const noexcept override { return frame_.size(); }
  std::uint64_t slots() const noexcept override { return frame_.slots(); }
  std::uint64_t bytes() const noexcept override { return frame_.bytes() + sizeof(*this); }
  std::span<const std::byte> raw() const noexcept override { return frame_.raw(); }
  FilterOptions options() const noexcept override { return frame_.options(); }

 private:
  explicit AnyFrameOf(Frame<A> frame) noexcept : frame_(std::move(frame)) {}
  ~AnyFrameOf() = default;

  Frame<A> frame_;
};

// Policy<R>::type is the adaptation policy for remainders of R bits. Policies have names of their own, not one name in
// four unnamed namespaces: g++ 12 gives the generic lambda below one weak symbol for all of these, and the linker keeps
// one.
template <template <unsigned> class Policy>
MadeFrame make_frame(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept {
  const auto make = [&]<unsigned R>() -> MadeFrame {
    using A = typename Policy<R>::type;
    auto frame =
        writer == nullptr ? Frame<A>::create(options) : Frame<A>::from_writer(options, writer->size, writer->write);
    if (!frame) return frame.error();
    return AnyFrameOf<A>::make(std::move(*frame));
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
