#include "telescope/any_filter.hpp"

#include "any_frame.hpp"

namespace telescope {
inline namespace v1 {

Result<AnyFilter> AnyFilter::make(FilterKind kind, unsigned width, const FilterOptions& options,
                                  const detail::BlockWriter* writer) noexcept {
  const auto made = [&]() -> detail::MadeFrame {
    switch (kind) {
      case FilterKind::rsqf: return detail::make_rsqf(width, options, writer);
      case FilterKind::taf: return detail::make_taf(width, options, writer);
      case FilterKind::utaf: return detail::make_utaf(width, options, writer);
      case FilterKind::exaf: return detail::make_exaf(width, options, writer);
    }
    return Error::bad_argument;
  };
  auto frame = made();
  if (!frame) return frame.error();
  return AnyFilter(kind, width, std::move(*frame));
}

}  // namespace v1
}  // namespace telescope
