// The shape of a filter type: what a file must say to be loaded as one.
#pragma once

#include "telescope/detail/adapt/extensions.hpp"
#include "telescope/detail/adapt/none.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class Adaptation>
struct ShapeOf;  // a filter of one's own making has no shape, and cannot be saved

template <unsigned R>
struct ShapeOf<None<R>> {
  static constexpr FilterShape value{FilterKind::rsqf, R, CodeKind::none, 0, 0};
};
template <unsigned R>
struct ShapeOf<RawSelectors<R>> {
  static constexpr FilterShape value{FilterKind::utaf, R, CodeKind::raw, 0, 0};
};
template <unsigned R, Letter kTall>
struct ShapeOf<Selectors<R, EventCode<kTall>>> {
  static constexpr FilterShape value{FilterKind::taf, R, CodeKind::event, kTall, 0};
};
template <unsigned R>
struct ShapeOf<Extensions<R, ExtensionCode>> {
  static constexpr FilterShape value{FilterKind::exaf, R, CodeKind::extension, 0, 0};
};

// The shape that AnyFilter has at run time.
inline FilterShape shape_of(FilterKind kind, unsigned width) noexcept {
  const auto r = static_cast<std::uint8_t>(width);
  switch (kind) {
    case FilterKind::rsqf: return {kind, r, CodeKind::none, 0, 0};
    case FilterKind::utaf: return {kind, r, CodeKind::raw, 0, 0};
    case FilterKind::exaf: return {kind, r, CodeKind::extension, 0, 0};
    case FilterKind::taf: break;
  }
  return {kind, r, CodeKind::event, static_cast<std::uint8_t>(candidates(width)), 0};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
