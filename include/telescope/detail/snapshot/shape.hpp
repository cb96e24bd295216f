// The shape of a filter: what the header of a snapshot must say for the file to be loaded as that filter.
#pragma once

#include <type_traits>

#include "telescope/detail/adapt/extensions.hpp"
#include "telescope/detail/adapt/none.hpp"
#include "telescope/detail/adapt/selectors.hpp"
#include "telescope/detail/codec/event_code.hpp"
#include "telescope/detail/codec/extension_code.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope::inline v1::detail {

constexpr FilterShape shape_of(FilterKind kind, unsigned width) noexcept {
  const auto w = static_cast<std::uint8_t>(width);
  switch (kind) {
    case FilterKind::rsqf: return {kind, w, CodeKind::none, 0, 0};
    case FilterKind::utaf: return {kind, w, CodeKind::raw, 0, 0};
    case FilterKind::exaf: return {kind, w, CodeKind::extension, 0, 0};
    case FilterKind::taf: break;
  }
  return {kind, w, CodeKind::event, static_cast<std::uint8_t>(candidates(width)), 0};
}

// The kind of filter that an adaptation policy makes. A policy without a kind cannot be saved.
template <class Adaptation>
struct KindOf;
template <unsigned R>
struct KindOf<None<R>> : std::integral_constant<FilterKind, FilterKind::rsqf> {};
template <unsigned R>
struct KindOf<RawSelectors<R>> : std::integral_constant<FilterKind, FilterKind::utaf> {};
template <unsigned R>
struct KindOf<Selectors<R, DefaultCode<R>>> : std::integral_constant<FilterKind, FilterKind::taf> {};
template <unsigned R>
struct KindOf<Extensions<R, ExtensionCode>> : std::integral_constant<FilterKind, FilterKind::exaf> {};

}  // namespace telescope::inline v1::detail
