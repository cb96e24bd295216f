// GuardCore: making the filter.
#include <algorithm>

#include "guard_core.hpp"
#include "telescope/detail/move/spill.hpp"

namespace telescope::inline v1::detail {

GuardCore::GuardCore(AnyStore store, SetMeta meta, const GuardOptions& options)
    : store_(std::move(store)),
      meta_(std::move(meta)),
      options_(options),
      hash_({meta_.set.hash, *meta_.set.secret}),
      adapt_limit_(options.adapts_per_second, options.adapt_burst),
      remembered_(options.remembered) {}

Outcome<void> GuardCore::load() {
  auto loaded = load_saved();
  from_snapshot_ = loaded.ok();
  named_ = !meta_.state.empty();
  if (loaded) {
    opened_ = "from " + options_.snapshot.string();
    return install_filter(std::move(*loaded));
  }
  opened_ = "made from the store: " + loaded.error().what;
  auto scanned = scan_store();
  if (!scanned) return std::move(scanned).error();
  changed_ = true;
  return install_filter(std::move(*scanned));
}

Outcome<void> GuardCore::install_filter(AnyFilter filter) {
  auto shared = SharedFilter::create(std::move(filter), {.at_load = options_.max_load, .factor = options_.growth});
  if (!shared) return to_failure(shared.error());
  filter_ = std::move(*shared);
  return {};
}

// Makes the filter in one pass in order of position. If there are more members than the last size has room for, the
// pass goes on and counts them, and a second one makes it. (How far the first one came would not tell how many there
// are: positions are spread evenly only if nobody knows the secret.) The same if many members come round to the first
// slots, which then must be left free for them.
Outcome<AnyFilter> GuardCore::scan_store() {
  FilterOptions make;
  make.memory = options_.memory;
  constexpr std::uint64_t kMostInserted = 1024;  // members that come round without having been left a slot
  std::uint64_t left_free = 0;
  for (make.slots = meta_.slots;;) {
    auto loader = AnyAccess::make_loader(meta_.set.filter, meta_.set.width, make, left_free);
    if (!loader) return to_failure(loader.error());
    const auto room = static_cast<std::uint64_t>(options_.max_load * static_cast<double>(make.slots));
    RebuildProgress progress;
    Spill spill(make.slots);
    Status added;
    const auto fits = [&] { return progress.members <= room && spill.slots() <= left_free + kMostInserted; };
    auto scanned = store_.scan(0, ~std::uint64_t{0}, [&](const Record& record) {
      progress.done = static_cast<double>(record.position) / 0x1p64;
      const Hash member = hash_(record.key);
      if (member.position != record.position) added = Error::disagree;
      spill.add(record.position);
      ++progress.members;
      if (added && fits()) added = loader->add({&member, 1}).status;
      if (progress.members % 65536 == 0 && options_.progress) {
        // Where all positions so far are nearly 0, nothing can be expected yet.
        const double expected = static_cast<double>(progress.members) / progress.done;
        progress.expected = expected < 0x1p63 ? static_cast<std::uint64_t>(expected) : 0;
        options_.progress(progress);
      }
      return added.ok();
    });
    if (!scanned) return failed(std::move(scanned).error());
    if (!added && added.error() == Error::disagree) {
      return Failure{Error::corrupt,
                     "a record is not at the position of its key: another set has written to the store; restore it"};
    }
    if (!added) return to_failure(added.error());
    if (spill.slots() < left_free) {
      return Failure{Error::disagree,
                     "records have gone from the store while it was scanned: let no other program write"};
    }
    if (fits()) return std::move(*loader).finish();
    left_free = progress.members <= room ? spill.slots() : 0;
    if (progress.members <= room) continue;
    make.slots = FilterOptions::for_members(progress.members + progress.members / 8, options_.max_load).slots;
  }
}

Outcome<void> GuardCore::rebuild() {
  const std::lock_guard alone(write_mutex_);
  if (auto settled = expect_settled(); !settled) return settled;
  auto scanned = scan_store();
  if (!scanned) return std::move(scanned).error();
  changed_ = true;
  // The scan has told what became of the writes that failed, and the new filter follows it.
  const Status replaced = filter_->replace(std::move(*scanned), [&] { pending_.follow_all(); });
  if (!replaced) return to_failure(replaced.error());
  pending_.settle_all();
  return {};
}

Outcome<void> GuardCore::resize(std::uint64_t slots) {
  StoreSource members = store_source();
  const Status resized = filter_->resize(slots, members);
  if (!resized) return failed(members.failure_of(resized.error()));
  changed_ = true;
  return {};
}

}  // namespace telescope::inline v1::detail
