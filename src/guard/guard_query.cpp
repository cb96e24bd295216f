// GuardCore: queries.
#include <algorithm>

#include "guard_core.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

Outcome<bool> GuardCore::look_up(std::string_view key, std::string& value) {
  const Hash hash = hash_(key);
  if (in_doubt(hash, key)) {
    tally_.count(Tally::asked);
    const std::shared_lock shared(writers_);
    const std::lock_guard lock(key_locks_.of(hash));
    return settle(hash, key, value);
  }
  if (!filter_->contains(hash)) {
    tally_.count(Tally::filter_negatives);
    return false;
  }
  tally_.count(Tally::asked);
  return look_up_in_store(hash, key, value);
}

// For a key that the filter does not call absent.
Outcome<bool> GuardCore::look_up_in_store(const Hash& hash, std::string_view key, std::string& value) {
  auto found = read(hash, key, value);
  if (!found) return found;
  if (*found) {
    tally_.count(Tally::true_positives);
    return true;
  }
  if (auto repaired = false_positive(hash); !repaired) return std::move(repaired).error();
  return false;
}

Outcome<void> GuardCore::look_up(std::span<const std::string_view> keys, std::span<std::string> values,
                                 std::span<std::uint8_t> present) {
  constexpr std::size_t kGroup = 1024;
  if (keys.size() > kGroup) {
    for (std::size_t done = 0; done < keys.size(); done += kGroup) {
      const std::size_t size = std::min(kGroup, keys.size() - done);
      auto looked = look_up(keys.subspan(done, size), values.empty() ? values : values.subspan(done, size),
                            present.subspan(done, size));
      if (!looked) return looked;
    }
    return {};
  }
  std::vector<Hash> hashes(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) hashes[i] = hash_(keys[i]);
  // Read before the filter is: what fails from now on is no business of these queries.
  const bool doubts = unsettled_.doubts() != 0;
  filter_->contains(hashes, present);

  std::vector<std::size_t> maybe;
  std::vector<RecordKey> asked;
  std::uint64_t negatives = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (doubts && in_doubt(hashes[i], keys[i])) {
      std::string value;
      auto found = look_up(keys[i], values.empty() ? value : values[i]);
      if (!found) return std::move(found).error();
      present[i] = *found ? 1 : 0;
    } else if (present[i] != 0) {
      maybe.push_back(i);
      asked.push_back({hashes[i].position, keys[i]});
    } else {
      ++negatives;
    }
  }
  tally_.count(Tally::filter_negatives, negatives);
  tally_.count(Tally::asked, maybe.size());
  if (maybe.empty()) return {};
  std::vector<std::string> read_values(maybe.size());
  std::vector<std::uint8_t> found(maybe.size());
  tally_.count(Tally::store_reads, maybe.size());
  if (auto got = store_.get_many(asked, read_values, found); !got) return failed(std::move(got).error());
  for (std::size_t j = 0; j < maybe.size(); ++j) {
    const std::size_t i = maybe[j];
    present[i] = found[j];
    if (found[j] != 0) {
      tally_.count(Tally::true_positives);
      if (!values.empty()) values[i] = std::move(read_values[j]);
    } else if (auto repaired = false_positive(hashes[i]); !repaired) {
      return repaired;
    }
  }
  return {};
}

Outcome<bool> GuardCore::read(const Hash& hash, std::string_view key, std::string& value) {
  tally_.count(Tally::store_reads);
  auto found = store_.get({hash.position, key}, value);
  if (!found) return failed(std::move(found).error());
  return found;
}

Outcome<void> GuardCore::false_positive(const Hash& hash) {
  tally_.count(Tally::false_positives);
  if (remembered_.repeats(hash)) tally_.count(Tally::repeated_false_positives);
  if (!adapts()) return {};
  if (!adapt_limit_.take()) {
    tally_.count(Tally::adapts_withheld);
    return {};
  }
  return adapt(hash);
}

Outcome<void> GuardCore::adapt(const Hash& hash) {
  StoreSource members = source();
  const auto adapted = filter_->adapt(hash, members);
  if (!adapted) {
    // The key itself may be on its way in or out, and then there is nothing to repair.
    if (adapted.error() == Error::is_member) return {};
    return failed(members.failure_of(adapted.error()));
  }
  if (adapted->adapted > 0) {
    tally_.count(Tally::adapts);
    changed_.store(true, std::memory_order_relaxed);
  }
  tally_.count(adapted->overflow);
  return {};
}

Outcome<bool> GuardCore::settle(const Hash& hash, std::string_view key, std::string& value) {
  auto found = read(hash, key, value);
  if (!found) return found;
  const auto holder = unsettled_.doubt(hash, key);
  const auto agree = [&] { unsettled_.settle(hash, key); };
  if (!holder) return found;  // somebody was faster
  if ((holder == Holder::store) != *found) {
    agree();
    return found;
  }
  StoreSource members = source();
  Error error;
  if (*found) {
    const auto inserted = filter_->insert(hash, members, agree);
    if (inserted) return found;
    error = inserted.error();
  } else {
    const auto erased = filter_->erase(hash, members, agree);
    if (erased) return found;
    error = erased.error();
  }
  return failed(members.failure_of(error));
}

// As many doubts as a write may add, before it: so that there are never many, however long a store is down.
Outcome<void> GuardCore::settle_some(std::size_t count) {
  for (; count > 0 && unsettled_.doubts() != 0; --count) {
    const auto key = unsettled_.next_doubt();
    if (!key) return {};
    const Hash hash = hash_(*key);
    const std::lock_guard lock(key_locks_.of(hash));
    std::string value;
    if (auto settled = settle(hash, *key, value); !settled) return std::move(settled).error();
  }
  return {};
}

Outcome<void> GuardCore::settle_all() {
  while (const auto key = unsettled_.next_doubt()) {
    std::string value;
    if (auto settled = settle(hash_(*key), *key, value); !settled) return std::move(settled).error();
  }
  return {};
}

Outcome<std::uint64_t> GuardCore::preload_negatives(std::span<const std::string_view> keys) {
  // An adapt may make a slot fit another of the keys: a few passes, until no key is a false positive.
  constexpr int kPasses = 8;
  std::uint64_t repaired = 0;
  if (!adapts()) return repaired;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::uint64_t before = repaired;
    for (const std::string_view key : keys) {
      const Hash hash = hash_(key);
      if (!filter_->contains(hash)) continue;
      std::string value;
      auto found = read(hash, key, value);
      if (!found) return std::move(found).error();
      if (*found) continue;
      if (auto adapted = adapt(hash); !adapted) return std::move(adapted).error();
      repaired += filter_->contains(hash) ? 0 : 1;
    }
    if (repaired == before) break;
  }
  return repaired;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
