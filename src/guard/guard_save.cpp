// GuardCore: the snapshot. It belongs to the store's exact state if the name of the state and the version of the store
// that it notes are those that the store has.
#include <algorithm>

#include "guard_core.hpp"
#include "telescope/snapshot.hpp"

namespace telescope::inline v1::detail {

// Resolves the keys in doubt and ends a resize. The caller holds write_mutex_ alone.
Outcome<void> GuardCore::quiesce() {
  if (auto resolved = resolve_all(); !resolved) return resolved;
  StoreSource members = store_source();
  if (const Status finished = filter_->finish_resize(members); !finished) {
    return failed(members.failure_of(finished.error()));
  }
  return {};
}

std::string GuardCore::snapshot_note() { return meta_.state + "@" + std::to_string(store_.version()); }

Outcome<void> GuardCore::save() {
  if (options_.snapshot.empty()) return {};
  const std::lock_guard alone(write_mutex_);
  if (named_ && !changed_) return {};
  if (auto quiet = quiesce(); !quiet) return quiet;
  if (!named_) {
    const std::string state = new_state();
    const std::string slots = std::to_string(filter_->slots());
    for (const auto& [name, value] : {std::pair("slots", slots), {"state", state}}) {
      if (auto written = write_meta(store_, name, value); !written) return failed(std::move(written).error());
    }
    meta_.state = state;
    named_ = true;
  }
  const std::string note = snapshot_note();
  changed_ = false;  // an adapt that comes now sets it again
  SaveOptions options;
  options.note = std::as_bytes(std::span(note));
  auto saved = filter_->frozen(
      [&](const AnyFilter& filter) { return save_snapshot(filter, hash_.key(), options_.snapshot, options); });
  if (!saved) changed_ = true;
  return saved;
}

// Returns the filter that was saved last, or why it cannot be used. The note and the blocks come from one file, even if
// another one takes its name meanwhile.
Outcome<AnyFilter> GuardCore::load_saved() {
  if (options_.snapshot.empty()) return Failure{Error::bad_argument, "there is no file for snapshots"};
  if (meta_.state.empty()) return Failure{Error::bad_argument, "the set was not closed, or never saved"};
  LoadOptions load;
  load.memory = options_.memory;
  const auto reader = SnapshotReader::open(options_.snapshot, load);
  if (!reader) return reader.error();
  const auto info = reader->info();
  if (!info) return info.error();
  const std::string note = snapshot_note();
  if (!std::ranges::equal(info->note, std::as_bytes(std::span(note)))) {
    return Failure{Error::other_filter, options_.snapshot.string() + " belongs to another state of the store"};
  }
  if (info->shape.kind != meta_.set.filter || info->shape.width != meta_.set.width) {
    return Failure{Error::other_filter, options_.snapshot.string() + " is of another kind of filter"};
  }
  return reader->load_any(hash_.key());
}

}  // namespace telescope::inline v1::detail
