// GuardCore: queries.
#include <algorithm>

#include "guard_core.hpp"

namespace telescope::inline v1::detail {

Outcome<bool> GuardCore::get(std::string_view key, std::string* value) {
  const Hash hash = hash_(key);
  if (in_doubt(hash, key)) {
    tally_.count(Tally::filter_positives);
    const std::shared_lock shared(write_mutex_);
    const std::lock_guard lock(key_locks_.of(hash));
    return resolve(hash, key, value);
  }
  if (!filter_->contains(hash)) {
    tally_.count(Tally::filter_negatives);
    return false;
  }
  tally_.count(Tally::filter_positives);
  auto found = read(hash, key, value);
  if (!found) return found;
  if (*found) {
    tally_.count(Tally::true_positives);
  } else if (auto repaired = on_false_positive(hash); !repaired) {
    return std::move(repaired).error();
  }
  return found;
}

Outcome<void> GuardCore::get(std::span<const std::string_view> keys, std::span<std::string> values,
                             std::span<std::uint8_t> present) {
  constexpr std::size_t kGroup = 1024;
  if (keys.size() > kGroup) {
    for (std::size_t done = 0; done < keys.size(); done += kGroup) {
      const std::size_t size = std::min(kGroup, keys.size() - done);
      auto got = get(keys.subspan(done, size), values.empty() ? values : values.subspan(done, size),
                     present.subspan(done, size));
      if (!got) return got;
    }
    return {};
  }
  std::vector<Hash> hashes(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) hashes[i] = hash_(keys[i]);
  // The doubts come before the filter, which a key follows before it leaves them. Writes that fail from now on do not
  // concern these queries.
  std::vector<bool> doubtful(pending_.doubts() != 0 ? keys.size() : 0);
  for (std::size_t i = 0; i < doubtful.size(); ++i) doubtful[i] = in_doubt(hashes[i], keys[i]);
  filter_->contains(hashes, present);

  std::vector<std::size_t> maybe;
  std::vector<RecordKey> records;
  std::uint64_t negatives = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!doubtful.empty() && doubtful[i]) {
      auto found = get(keys[i], values.empty() ? nullptr : &values[i]);
      if (!found) return std::move(found).error();
      present[i] = *found ? 1 : 0;
    } else if (present[i] != 0) {
      maybe.push_back(i);
      records.push_back({hashes[i].position, keys[i]});
    } else {
      ++negatives;
    }
  }
  tally_.count(Tally::filter_negatives, negatives);
  tally_.count(Tally::filter_positives, maybe.size());
  if (maybe.empty()) return {};
  std::vector<std::string> read_values(values.empty() ? 0 : maybe.size());
  std::vector<std::uint8_t> found(maybe.size());
  tally_.count(Tally::store_reads, maybe.size());
  if (auto got = store_.get_many(records, read_values, found); !got) return failed(std::move(got).error());
  for (std::size_t j = 0; j < maybe.size(); ++j) {
    const std::size_t i = maybe[j];
    present[i] = found[j];
    if (found[j] != 0) {
      tally_.count(Tally::true_positives);
      if (!values.empty()) values[i] = std::move(read_values[j]);
    } else if (auto repaired = on_false_positive(hashes[i]); !repaired) {
      return repaired;
    }
  }
  return {};
}

// Returns whether the store holds the key, and reads its value unless `value` is null.
Outcome<bool> GuardCore::read(const Hash& hash, std::string_view key, std::string* value) {
  tally_.count(Tally::store_reads);
  const RecordKey record{hash.position, key};
  auto found = value != nullptr ? store_.get(record, *value) : store_.contains(record);
  if (!found) return failed(std::move(found).error());
  return found;
}

Outcome<void> GuardCore::on_false_positive(const Hash& hash) {
  tally_.count(Tally::false_positives);
  if (remembered_.repeats(hash)) tally_.count(Tally::repeated_false_positives);
  if (!adapts()) return {};
  if (!adapt_limit_.allow()) {
    tally_.count(Tally::adapts_withheld);
    return {};
  }
  return adapt(hash);
}

// If a quotient has more members than ever come together by chance, somebody who knows the secret has made them. A
// query does not fetch them all: it leaves the false positive as it is.
Outcome<void> GuardCore::adapt(const Hash& hash) {
  StoreSource members = store_source();
  if (options_.max_adapt_run != 0) members.refuse_above(options_.max_adapt_run);
  const auto adapted = filter_->adapt(hash, members);
  if (!adapted) {
    if (members.refused()) {
      tally_.count(Tally::adapts_too_long);
      return {};
    }
    // A write may have the key itself on its way in or out, and then there is nothing to repair.
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

Outcome<std::uint64_t> GuardCore::preload_negatives(std::span<const std::string_view> keys) {
  // An adapt may make a slot match another of the keys: so there are a few passes, until no key is a false positive.
  constexpr int kPasses = 8;
  std::uint64_t repaired = 0;
  if (!adapts()) return repaired;
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::uint64_t before = repaired;
    for (const std::string_view key : keys) {
      const Hash hash = hash_(key);
      if (!filter_->contains(hash)) continue;
      auto found = read(hash, key, nullptr);
      if (!found) return std::move(found).error();
      if (*found) continue;
      if (auto adapted = adapt(hash); !adapted) return std::move(adapted).error();
      repaired += filter_->contains(hash) ? 0 : 1;
    }
    if (repaired == before) break;
  }
  return repaired;
}

}  // namespace telescope::inline v1::detail
