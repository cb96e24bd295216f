#include "telescope/any_filter.hpp"

#include <algorithm>
#include <utility>

#include "any_frame.hpp"
#include "telescope/detail/memory.hpp"
#include "telescope/detail/move/spill.hpp"

namespace telescope::inline v1 {

namespace detail {

void Destroy::operator()(AnyFrame* frame) const noexcept { frame->destroy(); }
void Destroy::operator()(AnyLoader* loader) const noexcept { loader->destroy(); }
void Destroy::operator()(AnyResize* resize) const noexcept { resize->destroy(); }

Result<AnyFilter> AnyAccess::make(FilterKind kind, unsigned width, const FilterOptions& options,
                                  const BlockWriter* writer) noexcept {
  const auto made = [&]() -> MadeFrame {
    switch (kind) {
      case FilterKind::rsqf: return make_rsqf(width, options, writer);
      case FilterKind::taf: return make_taf(width, options, writer);
      case FilterKind::utaf: return make_utaf(width, options, writer);
      case FilterKind::exaf: return make_exaf(width, options, writer);
    }
    return Error::bad_argument;
  };
  auto frame = made();
  if (!frame) return frame.error();
  return AnyFilter(kind, width, std::move(*frame));
}

}  // namespace detail

Result<AnyFilter> AnyFilter::create(FilterKind kind, unsigned width, const FilterOptions& options) noexcept {
  return detail::AnyAccess::make(kind, width, options, nullptr);
}
Result<AnyFilter> AnyFilter::clone() const noexcept {
  auto frame = frame_->clone();
  if (!frame) return frame.error();
  return AnyFilter(kind_, width_, std::move(*frame));
}
Result<AnyFilter> AnyFilter::merge_from(const AnyFilter& a, const AnyFilter& b, const MemberSource* source) noexcept {
  if (a.kind_ != b.kind_ || a.width_ != b.width_) return Error::bad_argument;
  auto frame = a.frame_->merged(*b.frame_, source);
  if (!frame) return frame.error();
  return AnyFilter(a.kind_, a.width_, std::move(*frame));
}
void AnyFilter::clear() noexcept { frame_->clear(); }
Result<ResizeReport> AnyFilter::resize(const FilterOptions& options, const MemberSource& source) noexcept {
  return frame_->resize(options, source);
}

bool AnyFilter::contains(const Hash& hash) const noexcept { return frame_->contains(nullptr, hash); }
void AnyFilter::contains(std::span<const Hash> hashes, std::span<std::uint8_t> out) const noexcept {
  assert(out.size() >= hashes.size());
  frame_->contains(nullptr, hashes, out.data());
}
Result<InsertReport> AnyFilter::insert(const Hash& hash) noexcept {
  return frame_->insert(nullptr, hash, nullptr, detail::kNothingBefore);
}
Result<InsertReport> AnyFilter::insert(const Hash& hash, const MemberSource& source) noexcept {
  return frame_->insert(nullptr, hash, &source, detail::kNothingBefore);
}
BatchInsertReport AnyFilter::insert(std::span<const Hash> hashes) noexcept { return frame_->insert(hashes); }
Result<AdaptReport> AnyFilter::adapt(const Hash& hash, const MemberSource& source) noexcept {
  return frame_->adapt(nullptr, hash, source);
}
Result<EraseReport> AnyFilter::erase(const Hash& hash, const MemberSource& source) noexcept {
  return frame_->erase(nullptr, hash, source, detail::kNothingBefore);
}

std::optional<Violation> AnyFilter::check() const { return frame_->check(); }
const char* AnyFilter::quick_check() const noexcept { return frame_->quick_check(); }
Status AnyFilter::match(const QuotientRange& range, const MemberSource& source) const noexcept {
  return frame_->match(range, source);
}
void AnyFilter::count_letters(std::span<std::uint64_t> counts) const noexcept { frame_->count_letters(counts); }
std::uint64_t AnyFilter::size() const noexcept { return frame_->size(); }
std::uint64_t AnyFilter::slots() const noexcept { return frame_->slots(); }
std::uint64_t AnyFilter::bytes() const noexcept { return frame_->bytes(); }
std::span<const std::byte> AnyFilter::raw() const noexcept { return frame_->raw(); }
FilterOptions AnyFilter::options() const noexcept { return frame_->options(); }

BatchInsertReport AnyFilter::Loader::add(std::span<const Hash> members, std::span<const Letter> letters,
                                         const MemberSource* source) noexcept {
  assert(letters.empty() || letters.size() == members.size());
  return loader_->add(members, letters, source);
}
AnyFilter AnyFilter::Loader::finish(OverflowReport* overflow) && noexcept {
  loader_->finish(*filter_.frame_, overflow);
  return std::move(filter_);
}
Result<AnyFilter::Loader> AnyFilter::Loader::create(FilterKind kind, unsigned width,
                                                    const FilterOptions& options) noexcept {
  return detail::AnyAccess::make_loader(kind, width, options, 0);
}
Result<AnyFilter::Loader> detail::AnyAccess::make_loader(FilterKind kind, unsigned width, const FilterOptions& options,
                                                         std::uint64_t spill) noexcept {
  auto filter = AnyFilter::create(kind, width, options);
  if (!filter) return filter.error();
  auto loader = filter->frame_->load(spill);
  if (!loader) return Error::no_memory;
  return AnyFilter::Loader(std::move(*filter), std::move(loader));
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
  detail::Spill spill(options.slots);
  for (const Hash& member : sorted) spill.add(member.position);
  auto loader = detail::AnyAccess::make_loader(kind, width, options, spill.slots());
  if (!loader) return loader.error();
  const BatchInsertReport added = loader->add(sorted);
  if (!added.status) return added.status.error();
  return std::move(*loader).finish();
}

}  // namespace telescope::inline v1
