// GuardCore: inserts and erases.
#include <algorithm>
#include <numeric>

#include "guard_core.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {

// The keys of a batch in order of position, equal ones side by side and in the order they came.
template <class KeyOf>
std::vector<std::size_t> in_order(std::span<const Hash> hashes, KeyOf key_of) {
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (hashes[a].position != hashes[b].position) return hashes[a].position < hashes[b].position;
    return key_of(a) < key_of(b);
  });
  return order;
}

}  // namespace

Outcome<bool> GuardCore::insert(const Entry& entry) {
  auto inserted = insert(std::span(&entry, 1));
  if (!inserted) return std::move(inserted).error();
  return *inserted == 1;
}

Outcome<std::uint64_t> GuardCore::insert(std::span<const Entry> entries) {
  const auto key_of = [&](std::size_t i) { return entries[i].key; };
  std::vector<Hash> hashes(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) hashes[i] = hash_(key_of(i));
  const std::vector<std::size_t> order = in_order(hashes, key_of);

  const std::shared_lock shared(writers_);
  if (auto settled = settle_some(hashes.size() + 1); !settled) return std::move(settled).error();
  const KeyLocks::Held locks(key_locks_, hashes);
  std::vector<std::uint8_t> maybe(entries.size());
  filter_->contains(hashes, maybe);
  std::vector<Write> writes;
  std::vector<Unsettled::Item> fresh;
  writes.reserve(entries.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t i = order[n];
    writes.push_back({hashes[i].position, entries[i].key, entries[i].value});
    if (n > 0 && hashes[order[n - 1]] == hashes[i] && key_of(order[n - 1]) == key_of(i)) continue;
    if (maybe[i] != 0 || in_doubt(hashes[i], key_of(i))) {
      auto member = is_member(hashes[i], key_of(i));
      if (!member) return std::move(member).error();
      if (*member) continue;
    }
    fresh.push_back({hashes[i], key_of(i)});
  }
  const std::uint64_t count = fresh.size();
  StoreSource members = source();
  if (const Status room = filter_->make_room(count, members); !room) return failed(members.failure_of(room.error()));
  Unsettled::Batch batch(unsettled_, Holder::store, std::move(fresh));
  if (auto ready = take_state_away(); !ready) {
    batch.forget();
    return std::move(ready).error();
  }
  if (auto written = write(writes); !written) return std::move(written).error();
  if (auto followed = follow(batch, Holder::store); !followed) return std::move(followed).error();
  return count;
}

Outcome<bool> GuardCore::erase(std::string_view key) {
  auto erased = erase(std::span(&key, 1));
  if (!erased) return std::move(erased).error();
  return *erased == 1;
}

Outcome<std::uint64_t> GuardCore::erase(std::span<const std::string_view> keys) {
  const auto key_of = [&](std::size_t i) { return keys[i]; };
  std::vector<Hash> hashes(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) hashes[i] = hash_(keys[i]);
  const std::vector<std::size_t> order = in_order(hashes, key_of);

  const std::shared_lock shared(writers_);
  if (auto settled = settle_some(hashes.size() + 1); !settled) return std::move(settled).error();
  const KeyLocks::Held locks(key_locks_, hashes);
  std::vector<std::uint8_t> maybe(keys.size());
  filter_->contains(hashes, maybe);
  std::vector<Write> writes;
  std::vector<Unsettled::Item> leaving;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t i = order[n];
    if (n > 0 && hashes[order[n - 1]] == hashes[i] && key_of(order[n - 1]) == key_of(i)) continue;
    if (maybe[i] == 0 && !in_doubt(hashes[i], keys[i])) continue;
    auto member = is_member(hashes[i], keys[i]);
    if (!member) return std::move(member).error();
    if (!*member) continue;
    writes.push_back({hashes[i].position, keys[i], std::nullopt});
    leaving.push_back({hashes[i], keys[i]});
  }
  if (leaving.empty()) return std::uint64_t{0};
  const std::uint64_t count = leaving.size();
  Unsettled::Batch batch(unsettled_, Holder::filter, std::move(leaving));
  if (auto ready = take_state_away(); !ready) {
    batch.forget();
    return std::move(ready).error();
  }
  if (auto written = write(writes); !written) return std::move(written).error();
  if (auto followed = follow(batch, Holder::filter); !followed) return std::move(followed).error();
  return count;
}

// Whether the store holds it, the filter having said "maybe". What was in doubt is not any more.
Outcome<bool> GuardCore::is_member(const Hash& hash, std::string_view key) {
  std::string value;
  return in_doubt(hash, key) ? settle(hash, key, value) : read(hash, key, value);
}

Outcome<void> GuardCore::write(std::span<const Write> writes) {
  auto written = store_.write(writes);
  if (!written) return failed(std::move(written).error());
  tally_.count(Tally::writes, writes.size());
  return {};
}

Outcome<void> GuardCore::follow(Unsettled::Batch& batch, Holder holder) {
  Outcome<void> first;
  changed_.store(true, std::memory_order_relaxed);
  StoreSource members = source();
  for (std::size_t i = 0; i < batch.items().size(); ++i) {
    const Hash& hash = batch.items()[i].hash;
    const auto settle_it = [&] { batch.settle(i); };
    const auto done = [&]() -> Result<OverflowReport> {
      if (holder == Holder::store) {
        const auto inserted = filter_->insert(hash, members, settle_it);
        if (!inserted) return inserted.error();
        return inserted->overflow;
      }
      const auto erased = filter_->erase(hash, members, settle_it);
      if (!erased) return erased.error();
      return erased->overflow;
    }();
    if (done) {
      tally_.count(*done);
    } else if (Failure failure = failed(members.failure_of(done.error())); first.ok()) {
      first = std::move(failure);
    }
  }
  return first;
}

Outcome<void> GuardCore::take_state_away() {
  if (!named_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(state_mutex_);
  if (!named_.load(std::memory_order_relaxed)) return {};
  if (auto written = write_state(store_, ""); !written) return failed(std::move(written).error());
  named_.store(false, std::memory_order_release);
  return {};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
