// FilterKind: the four kinds of filters and their names (telescope/filter.hpp describes them).
#pragma once

#include <optional>
#include <string_view>

namespace telescope::inline v1 {

enum class FilterKind { rsqf, taf, utaf, exaf };

// Returns the name of the enumerator.
constexpr std::string_view to_string(FilterKind kind) noexcept {
  switch (kind) {
    case FilterKind::rsqf: return "rsqf";
    case FilterKind::taf: return "taf";
    case FilterKind::utaf: return "utaf";
    case FilterKind::exaf: return "exaf";
  }
  return "unknown";
}

// Returns the kind of that name, or nothing if there is none. Names are lower-case.
constexpr std::optional<FilterKind> parse_filter_kind(std::string_view name) noexcept {
  for (FilterKind kind : {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
    if (name == to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace telescope::inline v1
