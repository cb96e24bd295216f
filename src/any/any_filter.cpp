#include "telescope/any_filter.hpp"

#include <algorithm>
#include <utility>

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

Result<AnyFilter::Loader> AnyFilter::Loader::create(FilterKind kind, unsigned width,
                                                    const FilterOptions& options) noexcept {
  auto filter = AnyFilter::create(kind, width, options);
  if (!filter) return filter.error();
  auto loader = filter->frame_->load();
  if (!loader) return Error::no_memory;
  return Loader(std::move(*filter), std::move(loader));
}

Result<AnyFilter> AnyFilter::load(FilterKind kind, unsigned width, const FilterOptions& options,
                                  HashStream next) noexcept {
  auto loader = Loader::create(kind, width, options);
  if (!loader) return loader.error();
  for (;;) {
    const auto members = next();
    if (!members) return members.error();
    if (members->empty()) return std::move(*loader).finish();
    const BatchInsertReport added = loader->add(*members);
    if (!added.status) return added.status.error();
  }
}

Result<AnyFilter> AnyFilter::build(FilterKind kind, unsigned width, const FilterOptions& options,
                                   std::span<const Hash> members) noexcept {
  if (members.size() > options.slots) return Error::full;
  const detail::Objects<Hash> both(2 * members.size(), {options.memory, options.huge_pages});
  if (!both) return Error::no_memory;
  const std::span sorted = both.span().first(members.size());
  std::copy(members.begin(), members.end(), sorted.begin());
  sort_by_position(sorted, both.span().last(members.size()));
  std::span<const Hash> next = sorted;
  return load(kind, width, options,
              [&]() -> Result<std::span<const Hash>> { return std::exchange(next, std::span<const Hash>()); });
}

}  // namespace v1
}  // namespace telescope
