// A filter whose kind and width are chosen at run time: for programs and servers. It sees hashes; the caller owns the
// hash of the keys. Filter (telescope/filter.hpp) is the same for a kind and a width that the compiler knows.
//
// The choice costs an indirect call per call, not per key: the batch forms loop inside the chosen filter.
// Width 8 is compiled for its own sake; the other widths share one frame, and their queries take about twice as long.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "telescope/bulk.hpp"
#include "telescope/hash.hpp"
#include "telescope/kind.hpp"
#include "telescope/letter.hpp"
#include "telescope/members.hpp"
#include "telescope/options.hpp"
#include "telescope/reports.hpp"
#include "telescope/result.hpp"

namespace telescope::inline v1 {

namespace detail {

class AnyFrame;
class AnyLoader;
class AnyResize;
struct AnyAccess;
struct Destroy {
  void operator()(AnyFrame* frame) const noexcept;
  void operator()(AnyLoader* loader) const noexcept;
  void operator()(AnyResize* resize) const noexcept;
};

}  // namespace detail

// Laws, errors, costs and thread-safety are those of Filter, function by function.
class AnyFilter {
 public:
  static constexpr unsigned kMinWidth = 4, kMaxWidth = 32;

  // Returns an empty filter whose remainders have `width` bits. Fails with bad_argument if the width is not in
  // [kMinWidth, kMaxWidth] or the number of slots is not a multiple of 64, and with no_memory.
  static Result<AnyFilter> create(FilterKind kind, unsigned width, const FilterOptions& options) noexcept;

  class Loader;

  // Return a filter of the members of a stream that yields them in order of position, or of members in any order; see
  // Filter::load and Filter::build.
  static Result<AnyFilter> load(FilterKind kind, unsigned width, const FilterOptions& options,
                                HashStream next) noexcept;
  static Result<AnyFilter> build(FilterKind kind, unsigned width, const FilterOptions& options,
                                 std::span<const Hash> members) noexcept;

  Result<AnyFilter> clone() const noexcept;
  void clear() noexcept;
  Result<ResizeReport> resize(const FilterOptions& options, const MemberSource& source) noexcept;

  // Returns a filter of the members of both. Fails with bad_argument if they differ in kind, width or number of slots;
  // that they have the same hash is for the caller to know. See Filter::merge.
  static Result<AnyFilter> merge(const AnyFilter& a, const AnyFilter& b) noexcept { return merge_from(a, b, nullptr); }
  static Result<AnyFilter> merge(const AnyFilter& a, const AnyFilter& b, const MemberSource& source) noexcept {
    return merge_from(a, b, &source);
  }

  FilterKind kind() const noexcept { return kind_; }
  unsigned width() const noexcept { return width_; }

  bool contains(const Hash& hash) const noexcept;
  // Sets out[i] to 1 if hashes[i] may be present, else to 0. `out` must be as long as `hashes`.
  void contains(std::span<const Hash> hashes, std::span<std::uint8_t> out) const noexcept;
  Result<InsertReport> insert(const Hash& hash) noexcept;
  Result<InsertReport> insert(const Hash& hash, const MemberSource& source) noexcept;
  BatchInsertReport insert(std::span<const Hash> hashes) noexcept;
  Result<AdaptReport> adapt(const Hash& hash, const MemberSource& source) noexcept;
  Result<EraseReport> erase(const Hash& hash, const MemberSource& source) noexcept;

  // Returns the first broken invariant, if there is one; takes some 20 ns per slot.
  std::optional<Violation> check() const;
  // Returns what is wrong with the structure of the blocks, or null: a twentieth of the time of check().
  const char* quick_check() const noexcept;
  // Compares the members that the source yields for these quotients with their slots. Fails with disagree if they do
  // not match, and with what the source fails with.
  Status match(const QuotientRange& range, const MemberSource& source) const noexcept;
  // Adds to counts[i] the number of slots with letter i, and to the last element those with larger letters.
  void count_letters(std::span<std::uint64_t> counts) const noexcept;

  std::uint64_t size() const noexcept;
  std::uint64_t slots() const noexcept;
  std::uint64_t bytes() const noexcept;
  double load() const noexcept { return static_cast<double>(size()) / static_cast<double>(slots()); }
  double bits_per_slot() const noexcept {
    return 8.0 * static_cast<double>(raw().size()) / static_cast<double>(slots());
  }
  // Returns the blocks as they are stored (docs/format.md).
  std::span<const std::byte> raw() const noexcept;
  // Returns what would make an empty filter like this one.
  FilterOptions options() const noexcept;

 private:
  friend struct detail::AnyAccess;
  using FramePtr = std::unique_ptr<detail::AnyFrame, detail::Destroy>;

  AnyFilter(FilterKind kind, unsigned width, FramePtr frame) noexcept
      : kind_(kind), width_(width), frame_(std::move(frame)) {}
  static Result<AnyFilter> merge_from(const AnyFilter& a, const AnyFilter& b, const MemberSource* source) noexcept;

  FilterKind kind_;
  unsigned width_;
  FramePtr frame_;
};

// Adds members in order of position, a batch with each call, then becomes the filter. See Filter::Loader.
class AnyFilter::Loader {
 public:
  static Result<Loader> create(FilterKind kind, unsigned width, const FilterOptions& options) noexcept;

  // Adds members in order, up to the first that fails. `letters` is empty, or has the letter of each member.
  BatchInsertReport add(std::span<const Hash> members, std::span<const Letter> letters = {},
                        const MemberSource* source = nullptr) noexcept;

  // Returns the filter. Adds to `overflow`, if there is one, what happened to letters that did not fit.
  AnyFilter finish(OverflowReport* overflow = nullptr) && noexcept;

 private:
  friend struct detail::AnyAccess;
  using LoaderPtr = std::unique_ptr<detail::AnyLoader, detail::Destroy>;
  Loader(AnyFilter filter, LoaderPtr loader) noexcept : filter_(std::move(filter)), loader_(std::move(loader)) {}

  AnyFilter filter_;  // without its frame, while that is loaded
  LoaderPtr loader_;
};

}  // namespace telescope::inline v1
