// What stands behind AnyFilter: a frame, a loader and a resize of any kind and width, each behind one virtual table.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "telescope/any_filter.hpp"
#include "telescope/detail/codec/letters.hpp"

namespace telescope::inline v1::detail {

class Regions;

using AnyFramePtr = std::unique_ptr<AnyFrame, Destroy>;
using AnyLoaderPtr = std::unique_ptr<AnyLoader, Destroy>;
using AnyResizePtr = std::unique_ptr<AnyResize, Destroy>;

// Called, where there are regions, when an operation cannot fail any more but by this: its error is the operation's.
using BeforeCommit = FunctionRef<Status()>;
inline constexpr auto kNothingBefore = [] { return Status{}; };

// Frame::Loader.
class AnyLoader {
 public:
  virtual void destroy() noexcept = 0;  // gives its own bytes back
  virtual BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters,
                                const MemberSource* source) noexcept = 0;
  // Gives the frame back to what it came from.
  virtual void finish(AnyFrame& origin, OverflowReport* overflow) noexcept = 0;

 protected:
  ~AnyLoader() = default;
};

// Frame::Resize.
class AnyResize {
 public:
  virtual void destroy() noexcept = 0;  // gives its own bytes back
  virtual bool contains(const Hash& hash) const noexcept = 0;
  virtual void contains(std::span<const Hash> hashes, std::uint8_t* out) const noexcept = 0;
  virtual Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Status step(const MemberSource& source) noexcept = 0;
  virtual bool done() const noexcept = 0;
  virtual std::uint64_t steps_left() const noexcept = 0;
  // When done, gives the frame back to what it came from.
  virtual void finish(AnyFrame& origin) noexcept = 0;
  virtual std::uint64_t size() const noexcept = 0;
  virtual std::uint64_t slots() const noexcept = 0;
  virtual std::uint64_t bytes() const noexcept = 0;

 protected:
  ~AnyResize() = default;
};

// Frame, for one caller at a time or for any number of them (ConcurrentFrame): the latter where `regions` is not null.
class AnyFrame {
 public:
  virtual void destroy() noexcept = 0;  // gives its own bytes back
  virtual Result<AnyFramePtr> clone() const noexcept = 0;
  virtual void clear() noexcept = 0;
  virtual Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept = 0;
  // The other is of the same kind and width.
  virtual Result<AnyFramePtr> merged(const AnyFrame& other, const MemberSource* source) const noexcept = 0;
  // Takes the empty frame; null if there is no memory. `spill`: see Frame::Loader::with_spill.
  virtual AnyLoaderPtr load(std::uint64_t spill) noexcept = 0;
  // Takes the frame, unless it fails.
  virtual Result<AnyResizePtr> start_resize(const FilterOptions& options) noexcept = 0;

  virtual bool contains(const Regions* regions, const Hash& hash) const noexcept = 0;
  virtual void contains(const Regions* regions, std::span<const Hash> hashes, std::uint8_t* out) const noexcept = 0;
  virtual Result<InsertReport> insert(const Regions* regions, const Hash& hash, const MemberSource* source,
                                      BeforeCommit before_commit) noexcept = 0;
  virtual BatchInsertReport insert(std::span<const Hash> hashes) noexcept = 0;
  virtual Result<AdaptReport> adapt(const Regions* regions, const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<EraseReport> erase(const Regions* regions, const Hash& hash, const MemberSource& source,
                                    BeforeCommit before_commit) noexcept = 0;

  virtual std::optional<Violation> check() const = 0;
  virtual const char* quick_check() const noexcept = 0;
  virtual Status match(const QuotientRange& range, const MemberSource& source) const noexcept = 0;
  virtual void count_letters(std::span<std::uint64_t> counts) const noexcept = 0;
  virtual std::uint64_t size() const noexcept = 0;  // while writers are at work, right a moment ago
  virtual std::uint64_t slots() const noexcept = 0;
  virtual std::uint64_t bytes() const noexcept = 0;
  virtual std::span<const std::byte> raw() const noexcept = 0;
  virtual FilterOptions options() const noexcept = 0;

 protected:
  ~AnyFrame() = default;
};

// How the blocks of a filter are written that is not empty at first: Frame::from_writer.
struct BlockWriter {
  FunctionRef<Status(std::span<std::byte>)> write;
  std::uint64_t size;
};

// What the rest of the library may do with an AnyFilter, and its users may not.
struct AnyAccess {
  static Result<AnyFilter> make(FilterKind kind, unsigned width, const FilterOptions& options,
                                const BlockWriter* writer) noexcept;
  static Result<AnyFilter::Loader> make_loader(FilterKind kind, unsigned width, const FilterOptions& options,
                                               std::uint64_t spill) noexcept;
  static AnyFrame& frame(const AnyFilter& filter) noexcept { return *filter.frame_; }
};

// One for each kind, so that they compile side by side.
using MadeFrame = Result<AnyFramePtr>;
MadeFrame make_rsqf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_taf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_utaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;
MadeFrame make_exaf(unsigned width, const FilterOptions& options, const BlockWriter* writer) noexcept;

}  // namespace telescope::inline v1::detail
