// The kinds of filters, by name.
#pragma once

#include <optional>
#include <string_view>

namespace telescope {
inline namespace v1 {

enum class FilterKind { rsqf, taf, utaf, exaf };

constexpr std::string_view to_string(FilterKind kind) noexcept {
  switch (kind) {
    case FilterKind::rsqf: return "rsqf";
    case FilterKind::taf: return "taf";
    case FilterKind::utaf: return "utaf";
    case FilterKind::exaf: return "exaf";
  }
  return "unknown";
}

constexpr std::optional<FilterKind> parse_filter_kind(std::string_view name) noexcept {
  for (FilterKind kind : {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf}) {
    if (name == to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace v1
}  // namespace telescope
