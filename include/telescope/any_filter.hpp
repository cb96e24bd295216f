// Filter and width chosen at run time, for command lines and servers. Sees hashes: the caller owns the key hash.
//
// The choice costs one indirect call per call, not per key: the batch forms probe in a loop of the chosen filter's own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "telescope/bulk.hpp"
#include "telescope/detail/check/check.hpp"
#include "telescope/letter.hpp"
#include "telescope/hash.hpp"
#include "telescope/kind.hpp"
#include "telescope/members.hpp"
#include "telescope/options.hpp"
#include "telescope/reports.hpp"
#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {

namespace detail {

class AnyFrame;
class AnyLoader;
class AnyResize;
class Regions;
class SharedFilter;
struct Destroy {
  template <class T>
  void operator()(T* object) const noexcept {
    object->destroy();
  }
};
using AnyFramePtr = std::unique_ptr<AnyFrame, Destroy>;
using AnyLoaderPtr = std::unique_ptr<AnyLoader, Destroy>;
using AnyResizePtr = std::unique_ptr<AnyResize, Destroy>;

// A loader of a frame, behind one table.
class AnyLoader {
 public:
  virtual void destroy() noexcept = 0;  // and gives its own bytes back
  virtual BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters,
                                const MemberSource* source) noexcept = 0;
  // Gives the frame back to what it came from.
  virtual void finish(AnyFrame& origin, OverflowReport* overflow) noexcept = 0;

 protected:
  ~AnyLoader() = default;
};

// A frame on its way to another size, in steps: Frame::Resize behind one table.
class AnyResize {
 public:
  virtual void destroy() noexcept = 0;  // and gives its own bytes back
  virtual bool contains(const Hash& hash) const noexcept = 0;
  virtual void contains_many(std::span<const Hash> hashes, std::uint8_t* out) const noexcept = 0;
  virtual Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Status step(const MemberSource& source) noexcept = 0;
  virtual bool done() const noexcept = 0;
  virtual std::uint64_t steps_left() const noexcept = 0;
  // When done: gives the frame back to what it came from.
  virtual void finish(AnyFrame& origin) noexcept = 0;
  virtual std::uint64_t size() const noexcept = 0;
  virtual std::uint64_t slots() const noexcept = 0;
  virtual std::uint64_t bytes() const noexcept = 0;

 protected:
  ~AnyResize() = default;
};

// The operations of a frame, behind one table.
class AnyFrame {
 public:
  virtual void destroy() noexcept = 0;  // and gives its own bytes back
  virtual Result<AnyFramePtr> clone() const noexcept = 0;
  virtual void clear() noexcept = 0;
  virtual Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept = 0;
  // The other is of the same kind and width.
  virtual Result<AnyFramePtr> merged(const AnyFrame& other, const MemberSource* source) const noexcept = 0;
  // Takes the empty frame; null if there is no memory.
  virtual AnyLoaderPtr load() noexcept = 0;
  virtual bool contains(const Hash& hash) const noexcept = 0;
  virtual void contains_many(std::span<const Hash> hashes, std::uint8_t* out) const noexcept = 0;
  virtual Result<InsertReport> insert(const Hash& hash, const MemberSource* source) noexcept = 0;
  virtual BatchInsertReport insert_many(std::span<const Hash> hashes) noexcept = 0;
  virtual Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept = 0;
  // The same for any number of callers at once: ConcurrentFrame.
  virtual bool contains(const Regions& regions, const Hash& hash) const noexcept = 0;
  virtual void contains_many(const Regions& regions, std::span<const Hash> hashes,
                             std::uint8_t* out) const noexcept = 0;
  virtual Result<InsertReport> insert(const Regions& regions, const Hash& hash, const MemberSource& source,
                                      FunctionRef<Status()> then) noexcept = 0;
  virtual Result<AdaptReport> adapt(const Regions& regions, const Hash& hash, const MemberSource& source) noexcept = 0;
  virtual Result<EraseReport> erase(const Regions& regions, const Hash& hash, const MemberSource& source,
                                    FunctionRef<Status()> then) noexcept = 0;
  virtual std::uint64_t size(const Regions& regions) const noexcept = 0;
  // Takes the frame, unless it fails.
  virtual Result<AnyResizePtr> start_resize(const FilterOptions& options) noexcept = 0;
  virtual std::optional<Violation> check() const = 0;
  virtual const char* quick_check() const noexcept = 0;
  virtual Status match(const QuotientRange& range, const MemberSource& source) const noexcept = 0;
  virtual void count_letters(std::span<std::uint64_t> counts) const noexcept = 0;
  virtual unsigned probe_decodes(const Hash& hash) const noexcept = 0;
  virtual std::uint64_t size() const noexcept = 0;
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

}  // namespace detail

class AnyFilter {
 public:
  static constexpr unsigned kMinWidth = 4, kMaxWidth = 16;

  static Result<AnyFilter> create(FilterKind kind, unsigned width, const FilterOptions& options) noexcept {
    return make(kind, width, options, nullptr);
  }
  static Result<AnyFilter> restore(FilterKind kind, unsigned width, const FilterOptions& options,
                                   const detail::BlockWriter& writer) noexcept {
    return make(kind, width, options, &writer);
  }

  class Loader;  // from members in order of position, one pass

  // From a stream in order of position, and from members in any order; see Filter::load and Filter::build.
  static Result<AnyFilter> load(FilterKind kind, unsigned width, const FilterOptions& options,
                                HashStream next) noexcept;
  static Result<AnyFilter> build(FilterKind kind, unsigned width, const FilterOptions& options,
                                 std::span<const Hash> members) noexcept;

  Result<AnyFilter> clone() const noexcept {
    auto frame = frame_->clone();
    if (!frame) return frame.error();
    return AnyFilter(kind_, width_, std::move(*frame));
  }
  void clear() noexcept { frame_->clear(); }

  // See Filter::resize.
  Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept {
    return frame_->resize(options, source);
  }

  // See Filter::merge. Both must be of the same kind, width and number of slots, else bad_argument; that they have the
  // same hash is for the caller to know.
  static Result<AnyFilter> merge(const AnyFilter& a, const AnyFilter& b) noexcept { return merge_from(a, b, nullptr); }
  static Result<AnyFilter> merge(const AnyFilter& a, const AnyFilter& b, const MemberSource& source) noexcept {
    return merge_from(a, b, &source);
  }

  FilterKind kind() const noexcept { return kind_; }
  unsigned width() const noexcept { return width_; }

  bool contains(const Hash& hash) const noexcept { return frame_->contains(hash); }
  void contains(std::span<const Hash> hashes, std::span<std::uint8_t> out) const noexcept {
    assert(out.size() >= hashes.size());
    frame_->contains_many(hashes, out.data());
  }
  Result<InsertReport> insert(const Hash& hash) noexcept { return frame_->insert(hash, nullptr); }
  Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept {
    return frame_->insert(hash, &source);
  }
  BatchInsertReport insert(std::span<const Hash> hashes) noexcept { return frame_->insert_many(hashes); }
  Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept {
    return frame_->adapt(hash, source);
  }
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept {
    return frame_->erase(hash, source);
  }
  std::optional<Violation> check() const { return frame_->check(); }
  const char* quick_check() const noexcept { return frame_->quick_check(); }  // Frame::quick_check
  // Whether the members that the source yields for these quotients match their slots, all of them: else disagree.
  Status match(const QuotientRange& range, const MemberSource& source) const noexcept {
    return frame_->match(range, source);
  }
  // Adds to counts[i] the slots with letter i, and to the last element those with larger ones.
  void count_letters(std::span<std::uint64_t> counts) const noexcept { frame_->count_letters(counts); }
  unsigned probe_decodes(const Hash& hash) const noexcept { return frame_->probe_decodes(hash); }

  std::uint64_t size() const noexcept { return frame_->size(); }
  std::uint64_t slots() const noexcept { return frame_->slots(); }
  std::uint64_t bytes() const noexcept { return frame_->bytes(); }
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  double bits_per_slot() const noexcept {
    return 8.0 * static_cast<double>(frame_->raw().size()) / static_cast<double>(slots());
  }
  std::span<const std::byte> raw() const noexcept { return frame_->raw(); }
  FilterOptions options() const noexcept { return frame_->options(); }

 private:
  friend class detail::SharedFilter;

  static Result<AnyFilter> make(FilterKind kind, unsigned width, const FilterOptions& options,
                                const detail::BlockWriter* writer) noexcept;
  AnyFilter(FilterKind kind, unsigned width, detail::AnyFramePtr frame) noexcept
      : kind_(kind), width_(width), frame_(std::move(frame)) {}

  static Result<AnyFilter> merge_from(const AnyFilter& a, const AnyFilter& b, const MemberSource* source) noexcept {
    if (a.kind_ != b.kind_ || a.width_ != b.width_) return Error::bad_argument;
    auto frame = a.frame_->merged(*b.frame_, source);
    if (!frame) return frame.error();
    return AnyFilter(a.kind_, a.width_, std::move(*frame));
  }

  FilterKind kind_;
  unsigned width_;
  detail::AnyFramePtr frame_;
};

// Adds members in order of position, a batch with each call, then becomes the filter.
class AnyFilter::Loader {
 public:
  static Result<Loader> create(FilterKind kind, unsigned width, const FilterOptions& options) noexcept;

  // In order, up to the first that fails. `letters` is empty, or has the letter of each member. See Filter::Loader.
  BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters = {},
                        const MemberSource* source = nullptr) noexcept {
    assert(letters.empty() || letters.size() == members.size());
    return loader_->add(members, letters, source);
  }

  // Tells, if asked, which letters did not fit any more.
  AnyFilter finish(OverflowReport* overflow = nullptr) && noexcept {
    loader_->finish(*filter_.frame_, overflow);
    return std::move(filter_);
  }

 private:
  Loader(AnyFilter filter, detail::AnyLoaderPtr loader) noexcept
      : filter_(std::move(filter)), loader_(std::move(loader)) {}

  AnyFilter filter_;  // without its frame, while that is loaded
  detail::AnyLoaderPtr loader_;
};

}  // namespace v1
}  // namespace telescope
