// A filter of any bytes, which may not be those of a filter at all.
#pragma once

#include <algorithm>

#include "../../src/any/any_frame.hpp"

namespace telescope::testing {

// Copies `raw` into the blocks, as far as they have room; behind it there are zeros.
inline AnyFilter restored(FilterKind kind, unsigned width, const FilterOptions& options, std::span<const std::byte> raw,
                          std::uint64_t size) {
  const auto write = [&](std::span<std::byte> into) -> Status {
    std::ranges::fill(into, std::byte{0});
    std::ranges::copy(raw.first(std::min(into.size(), raw.size())), into.begin());
    return {};
  };
  const detail::BlockWriter writer{write, size};
  return std::move(*detail::AnyAccess::make(kind, width, options, &writer));
}

}  // namespace telescope::testing
