#include "telescope/memory_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "telescope/detail/catch_to_failure.hpp"

namespace telescope::inline v1 {
namespace {

using detail::catch_to_failure;

struct OwnKey {
  std::uint64_t position;
  std::string key;
  operator RecordKey() const noexcept { return {position, key}; }
};

// By position, then by key bytes: std::string_view compares as memcmp does.
struct InOrder {
  using is_transparent = void;
  bool operator()(const RecordKey& a, const RecordKey& b) const noexcept {
    return std::tie(a.position, a.key) < std::tie(b.position, b.key);
  }
};

using Records = std::map<OwnKey, std::string, InOrder>;

constexpr std::uint64_t bytes_of(std::string_view key, std::string_view value) noexcept {
  return sizeof(std::uint64_t) + key.size() + value.size();
}

struct Step {
  std::vector<std::pair<OwnKey, std::string>> records;
  bool more = false;
};

}  // namespace

struct MemoryStore::State {
  mutable std::shared_mutex mutex;
  Records records;
  std::map<std::string, std::string, std::less<>> meta;
  std::uint64_t version = 1;
  std::uint64_t bytes = 0;

  void put(const RecordKey& key, std::string_view value) {
    auto at = records.lower_bound(key);
    if (at != records.end() && !InOrder{}(key, at->first)) {
      const std::size_t before = at->second.size();
      at->second.assign(value);
      bytes += value.size() - before;
    } else {
      records.emplace_hint(at, OwnKey{key.position, std::string(key.key)}, std::string(value));
      bytes += bytes_of(key.key, value);
    }
  }
  void erase(const RecordKey& key) {
    const auto at = records.find(key);
    if (at == records.end()) return;
    bytes -= bytes_of(at->first.key, at->second);
    records.erase(at);
  }

  // Returns up to `count` records of the positions from `first` to `last`, behind `after` unless that is null.
  Step step(std::uint64_t first, std::uint64_t last, const OwnKey* after, std::size_t count) const {
    const std::shared_lock lock(mutex);
    Step step;
    auto at = after != nullptr ? records.upper_bound(RecordKey(*after)) : records.lower_bound(RecordKey{first, {}});
    for (; at != records.end() && at->first.position <= last; ++at) {
      if (step.records.size() == count) {
        step.more = true;
        break;
      }
      step.records.emplace_back(at->first, at->second);
    }
    return step;
  }
};

MemoryStore::MemoryStore() : state_(std::make_unique<State>()) {}
MemoryStore::MemoryStore(const MemoryStore& other) : MemoryStore() {
  const std::shared_lock lock(other.state_->mutex);
  state_->records = other.state_->records;
  state_->meta = other.state_->meta;
  state_->version = other.state_->version;
  state_->bytes = other.state_->bytes;
}
MemoryStore::MemoryStore(MemoryStore&& other) noexcept = default;
MemoryStore& MemoryStore::operator=(const MemoryStore& other) {
  if (this != &other) *this = MemoryStore(other);
  return *this;
}
MemoryStore& MemoryStore::operator=(MemoryStore&& other) noexcept = default;
MemoryStore::~MemoryStore() = default;

Outcome<bool> MemoryStore::get(const RecordKey& key, std::string& value) const {
  return catch_to_failure([&]() -> Outcome<bool> {
    const std::shared_lock lock(state_->mutex);
    const auto at = state_->records.find(key);
    if (at == state_->records.end()) return false;
    value = at->second;
    return true;
  });
}

Outcome<bool> MemoryStore::contains(const RecordKey& key) const {
  return catch_to_failure([&]() -> Outcome<bool> {
    const std::shared_lock lock(state_->mutex);
    return state_->records.contains(key);
  });
}

Outcome<void> MemoryStore::scan(std::uint64_t first, std::uint64_t last, RecordSink sink) const {
  return catch_to_failure([&]() -> Outcome<void> {
    std::size_t count = 16;  // enough for the members of a quotient; doubled, so that a long scan takes few steps
    const OwnKey* after = nullptr;
    Step step;
    do {
      Step next = state_->step(first, last, after, count);
      step = std::move(next);
      for (const auto& [key, value] : step.records) {
        if (!sink(Record{key.position, key.key, value})) return {};
      }
      if (step.more) after = &step.records.back().first;
      count = std::min<std::size_t>(2 * count, 1024);
    } while (step.more);
    return {};
  });
}

Outcome<void> MemoryStore::write(std::span<const Write> writes) {
  return catch_to_failure([&]() -> Outcome<void> {
    const std::unique_lock lock(state_->mutex);
    if (!writes.empty()) ++state_->version;
    for (const Write& write : writes) {
      const RecordKey key{write.position, write.key};
      write.value ? state_->put(key, *write.value) : state_->erase(key);
    }
    return {};
  });
}

Outcome<bool> MemoryStore::get_meta(std::string_view name, std::string& value) const {
  return catch_to_failure([&]() -> Outcome<bool> {
    const std::shared_lock lock(state_->mutex);
    const auto at = state_->meta.find(name);
    if (at == state_->meta.end()) return false;
    value = at->second;
    return true;
  });
}

Outcome<void> MemoryStore::put_meta(std::span<const MetaWrite> writes) {
  return catch_to_failure([&]() -> Outcome<void> {
    const std::unique_lock lock(state_->mutex);
    if (!writes.empty()) ++state_->version;
    for (const MetaWrite& write : writes) state_->meta.insert_or_assign(std::string(write.name), write.value);
    return {};
  });
}

// Makes the new records aside first, so that it can fail only then: merging moves nodes of the map.
Outcome<void> MemoryStore::ingest(BulkSource next) {
  return catch_to_failure([&]() -> Outcome<void> {
    Records fresh;
    std::uint64_t added = 0;
    while (const auto record = next()) {
      const RecordKey key{record->position, record->key};
      if (!fresh.empty() && !InOrder{}(std::prev(fresh.end())->first, key)) {
        return Failure{Error::unordered, "records to ingest must come in order of position, then of key bytes"};
      }
      fresh.emplace_hint(fresh.end(), OwnKey{key.position, std::string(key.key)}, std::string(record->value));
      added += bytes_of(record->key, record->value);
    }
    const std::unique_lock lock(state_->mutex);
    if (fresh.empty()) return {};
    ++state_->version;
    for (const auto& [key, value] : fresh) state_->erase(key);
    state_->records.merge(fresh);
    state_->bytes += added;
    return {};
  });
}

std::uint64_t MemoryStore::version() const {
  const std::shared_lock lock(state_->mutex);
  return state_->version;
}
std::uint64_t MemoryStore::bytes() const {
  const std::shared_lock lock(state_->mutex);
  return state_->bytes;
}
std::size_t MemoryStore::size() const {
  const std::shared_lock lock(state_->mutex);
  return state_->records.size();
}

}  // namespace telescope::inline v1
