// Making filters out of the blocks of a snapshot, wherever these come from.
#pragma once

#include <span>

#include "telescope/detail/frame.hpp"
#include "telescope/detail/snapshot/preamble.hpp"
#include "telescope/detail/snapshot/shape.hpp"

namespace telescope::inline v1::detail {

// The shape of the filters over a frame.
template <class F>
struct ShapeOf;
template <class A>
struct ShapeOf<Frame<A>> {
  static constexpr FilterShape value = shape_of(KindOf<A>::value, A::kWidth);
  static_assert(SnapshotHeader::block_bytes(value) == LayoutOf<A>().bytes());
  static_assert(SnapshotHeader::kPadding == Frame<A>::kPadding);
};

// Returns what make(options, write) makes, a frame or an AnyFilter, if its blocks are consistent. `write` fills the
// blocks by read(span), whose failure is returned as it is.
template <class F, class Make, class Read>
Outcome<F> restore(const Preamble& preamble, const LoadOptions& options, Make make, Read read) noexcept {
  Outcome<void> done;
  auto write = [&](std::span<std::byte> into) -> Status {
    done = read(into);
    return done.ok() ? Status() : done.error().code;
  };
  const SnapshotHeader& header = preamble.header();
  auto made = make(FilterOptions{header.slots, header.overflow, options.memory, options.huge_pages}, write);
  if (!done) return std::move(done).error();
  if (!made) return failure_of(made.error());
  if (const char* const wrong = made->quick_check()) return preamble.corrupt_blocks(wrong);
  if (!options.thorough) return std::move(*made);
  try {
    if (const auto violation = made->check()) return preamble.corrupt_blocks(violation->what.c_str());
  } catch (...) {
    return failure_of(Error::no_memory);
  }
  return std::move(*made);
}

// The same for a typed filter.
template <class F, class Read>
Outcome<F> restore_filter(const Preamble& preamble, const typename F::Hasher& hash, const LoadOptions& options,
                          Read read) noexcept {
  auto frame = restore<typename F::Frame>(
      preamble, options,
      [&](const FilterOptions& made, auto& write) {
        return F::Frame::from_writer(made, preamble.header().size, write);
      },
      read);
  if (!frame) return std::move(frame).error();
  return F(std::move(*frame), hash);
}

}  // namespace telescope::inline v1::detail
