// GuardCore: inserts and erases.
#include <algorithm>
#include <numeric>

#include "guard_core.hpp"

namespace telescope::inline v1::detail {
namespace {

// The keys of a batch in order of position; equal keys are neighbours, in the order in which they came.
class Ordered {
 public:
  template <class KeyOf>
  Ordered(std::size_t count, const AnyHash& hash, KeyOf key_of) {
    std::vector<std::string_view> keys(count);
    for (std::size_t i = 0; i < count; ++i) hashes_.push_back(hash(keys[i] = key_of(i)));
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t x, std::size_t y) {
      if (hashes_[x].position != hashes_[y].position) return hashes_[x].position < hashes_[y].position;
      return keys[x] < keys[y];
    });
    for (std::size_t n = 0; n < count; ++n) {
      first_.push_back(n == 0 || keys[order_[n]] != keys[order_[n - 1]]);
    }
  }

  const std::vector<Hash>& hashes() const noexcept { return hashes_; }  // in the order in which the keys came

  // Calls visit(index, hash, whether it is the first of equal keys) for each key, until one call fails.
  template <class Visit>
  Outcome<void> for_each(Visit visit) const {
    for (std::size_t n = 0; n < order_.size(); ++n) {
      if (auto done = visit(order_[n], hashes_[order_[n]], first_[n]); !done) return done;
    }
    return {};
  }

 private:
  std::vector<Hash> hashes_;
  std::vector<std::size_t> order_;
  std::vector<bool> first_;
};

}  // namespace

Outcome<bool> GuardCore::insert(const Entry& entry) {
  auto inserted = insert(std::span(&entry, 1));
  if (!inserted) return std::move(inserted).error();
  return *inserted == 1;
}

Outcome<bool> GuardCore::erase(std::string_view key) {
  auto erased = erase(std::span(&key, 1));
  if (!erased) return std::move(erased).error();
  return *erased == 1;
}

Outcome<std::uint64_t> GuardCore::insert(std::span<const Entry> entries) {
  const Ordered keys(entries.size(), hash_, [&](std::size_t i) { return entries[i].key; });
  const std::shared_lock shared(write_mutex_);
  if (auto resolved = resolve_some(entries.size() + 1); !resolved) return std::move(resolved).error();
  const KeyLocks::Held locks(key_locks_, keys.hashes());
  std::vector<std::uint8_t> maybe(entries.size());
  filter_->contains(keys.hashes(), maybe);

  std::vector<Write> writes;
  std::vector<PendingWrites::Item> items;
  std::uint64_t fresh = 0;
  auto looked = keys.for_each([&](std::size_t i, const Hash& hash, bool first) -> Outcome<void> {
    const auto& [key, value] = entries[i];
    writes.push_back({hash.position, key, value});
    if (!first) return {};
    auto member = is_member(hash, key, maybe[i] != 0);
    if (!member) return std::move(member).error();
    items.push_back({hash, key, *member});
    fresh += *member ? 0 : 1;
    return {};
  });
  if (!looked) return std::move(looked).error();
  StoreSource members = store_source();
  if (const Status room = filter_->make_room(fresh, members); !room) {
    return failed(members.failure_of(room.error()));
  }
  return apply(writes, items, true);
}

Outcome<std::uint64_t> GuardCore::erase(std::span<const std::string_view> erased) {
  const Ordered keys(erased.size(), hash_, [&](std::size_t i) { return erased[i]; });
  const std::shared_lock shared(write_mutex_);
  if (auto resolved = resolve_some(erased.size() + 1); !resolved) return std::move(resolved).error();
  const KeyLocks::Held locks(key_locks_, keys.hashes());
  std::vector<std::uint8_t> maybe(erased.size());
  filter_->contains(keys.hashes(), maybe);

  std::vector<Write> writes;
  std::vector<PendingWrites::Item> items;
  auto looked = keys.for_each([&](std::size_t i, const Hash& hash, bool first) -> Outcome<void> {
    if (!first) return {};
    auto member = is_member(hash, erased[i], maybe[i] != 0);
    if (!member) return std::move(member).error();
    if (!*member) return {};
    writes.push_back({hash.position, erased[i], std::nullopt});
    items.push_back({hash, erased[i], true});
    return {};
  });
  if (!looked) return std::move(looked).error();
  return apply(writes, items, false);
}

// Writes to the store, then updates the filter: the keys of the items are members afterwards, or are not. Returns how
// many came or went.
Outcome<std::uint64_t> GuardCore::apply(std::span<const Write> writes, const std::vector<PendingWrites::Item>& items,
                                        bool members) {
  if (writes.empty()) return std::uint64_t{0};
  PendingWrites::Batch batch(pending_, items);
  if (auto ready = clear_state_name(); !ready) {
    batch.cancel();
    return std::move(ready).error();
  }
  if (auto written = write(writes); !written) return std::move(written).error();
  if (auto updated = update_filter(batch, members); !updated) return std::move(updated).error();
  return static_cast<std::uint64_t>(std::ranges::count(items, !members, &PendingWrites::Item::in_filter));
}

// Returns whether the key is a member, `maybe` being what the filter says. The caller holds the key's lock.
Outcome<bool> GuardCore::is_member(const Hash& hash, std::string_view key, bool maybe) {
  if (in_doubt(hash, key)) return resolve(hash, key, nullptr);
  if (!maybe) return false;
  return read(hash, key, nullptr);
}

Outcome<void> GuardCore::write(std::span<const Write> writes) {
  auto written = store_.write(writes);
  if (!written) return failed(std::move(written).error());
  tally_.count(Tally::writes, writes.size());
  return {};
}

// Makes the filter follow the store, item by item. Returns the first error; later items are tried all the same.
Outcome<void> GuardCore::update_filter(PendingWrites::Batch& batch, bool members) {
  Outcome<void> first;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto complete = [&] { batch.complete(i); };
    if (batch[i].in_filter == members) {
      complete();  // only its value is new
    } else if (auto followed = follow(batch[i].hash, members, complete); !followed && first.ok()) {
      first = std::move(followed);
    }
  }
  return first;
}

// Inserts a key into the filter, or erases it there.
Outcome<void> GuardCore::follow(const Hash& hash, bool member, SharedFilter::BeforeCommit before_commit) {
  changed_.store(true, std::memory_order_relaxed);
  StoreSource members = store_source();
  const auto done = [&]() -> Result<OverflowReport> {
    if (member) {
      const auto inserted = filter_->insert(hash, members, before_commit);
      if (!inserted) return inserted.error();
      return inserted->overflow;
    }
    const auto erased = filter_->erase(hash, members, before_commit);
    if (!erased) return erased.error();
    return erased->overflow;
  }();
  if (!done) return failed(members.failure_of(done.error()));
  tally_.count(*done);
  return {};
}

// Before the first write after a save: from now on the snapshot does not belong to the store.
Outcome<void> GuardCore::clear_state_name() {
  if (!named_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(state_mutex_);
  if (!named_.load(std::memory_order_relaxed)) return {};
  if (auto written = write_meta(store_, "state", ""); !written) return failed(std::move(written).error());
  named_.store(false, std::memory_order_release);
  return {};
}

}  // namespace telescope::inline v1::detail
