#include "pending_writes.hpp"

#include <algorithm>
#include <mutex>

namespace telescope::inline v1::detail {
namespace {

// Returns the first entry at the position or behind it.
template <class Entries>
auto first_at(Entries& entries, std::uint64_t position) noexcept {
  return std::lower_bound(entries.begin(), entries.end(), position,
                          [](const auto& entry, std::uint64_t wanted) { return entry.item.hash.position < wanted; });
}

}  // namespace

PendingWrites::Batch::Batch(PendingWrites& all, const std::vector<Item>& items)
    : all_(all), record_([&]() -> Record& {
        auto record = std::make_unique<Record>();
        std::size_t bytes = 0;
        for (const Item& item : items) bytes += item.key.size();
        record->keys.reserve(bytes);  // so that the views of it stay valid
        record->entries.reserve(items.size());
        for (Item item : items) {
          const std::size_t at = record->keys.size();
          record->keys += item.key;
          item.key = std::string_view(record->keys).substr(at);
          record->entries.push_back({item});
        }
        record->disagreeing = items.size();
        const std::lock_guard lock(all.mutex_);
        return *all.records_.emplace_back(std::move(record));
      }()) {}

PendingWrites::Batch::~Batch() {
  const std::lock_guard lock(all_.mutex_);
  record_.failed = true;
  all_.doubts_ += record_.disagreeing;
  all_.drop_if_agreed(std::ranges::find(all_.records_, &record_, &std::unique_ptr<Record>::get));
}

void PendingWrites::Batch::complete(std::size_t i) noexcept {
  const std::lock_guard lock(all_.mutex_);
  record_.agree(record_.entries[i]);
}

void PendingWrites::Batch::cancel() noexcept {
  const std::lock_guard lock(all_.mutex_);
  for (Entry& entry : record_.entries) record_.agree(entry);
}

void PendingWrites::correct(const QuotientRange& range, std::vector<Member>& members) const {
  const std::lock_guard lock(mutex_);
  const auto scanned = static_cast<std::ptrdiff_t>(members.size());
  const auto before = [](const Member& member, const Item& item) {
    if (member.hash.position != item.hash.position) return member.hash.position < item.hash.position;
    return member.key < item.key;
  };
  bool any_gone = false;
  for (const auto& record : records_) {
    const auto end = record->entries.end();
    for (auto entry = first_at(record->entries, range.first_position);
         entry != end && entry->item.hash.position <= range.last_position; ++entry) {
      if (entry->state != State::open) continue;
      const Item& item = entry->item;
      const auto last = members.begin() + scanned;
      const auto at = std::lower_bound(members.begin(), last, item, before);
      if (at != last && at->hash == item.hash && at->key == item.key) any_gone = at->gone = true;
      if (item.in_filter) members.push_back({item.hash, std::string(item.key)});
    }
  }
  if (any_gone) std::erase_if(members, [](const Member& member) { return member.gone; });
}

std::pair<PendingWrites::Records::const_iterator, PendingWrites::Entry*> PendingWrites::find(
    const Hash& hash, std::string_view key) const noexcept {
  for (auto record = records_.begin(); record != records_.end(); ++record) {
    if (!(*record)->failed) continue;
    std::vector<Entry>& entries = (*record)->entries;
    for (auto entry = first_at(entries, hash.position);
         entry != entries.end() && entry->item.hash.position == hash.position; ++entry) {
      if (entry->item.key == key && entry->state != State::agreed) return {record, &*entry};
    }
  }
  return {records_.end(), nullptr};
}

std::optional<bool> PendingWrites::in_doubt(const Hash& hash, std::string_view key) const noexcept {
  const std::lock_guard lock(mutex_);
  const Entry* const entry = find(hash, key).second;
  return entry == nullptr ? std::nullopt : std::optional(entry->item.in_filter);
}

std::optional<std::string> PendingWrites::next_in_doubt() {
  const std::lock_guard lock(mutex_);
  for (const auto& record : records_) {
    if (!record->failed) continue;
    std::size_t& next = record->agreed_before;
    while (record->entries[next].state == State::agreed) ++next;  // some entry is not
    return std::string(record->entries[next].item.key);
  }
  return std::nullopt;
}

void PendingWrites::follow(const Hash& hash, std::string_view key) noexcept {
  const std::lock_guard lock(mutex_);
  if (Entry* const entry = find(hash, key).second) entry->state = State::followed;
}

void PendingWrites::settle(const Hash& hash, std::string_view key) noexcept {
  const std::lock_guard lock(mutex_);
  const auto [record, entry] = find(hash, key);
  if (entry == nullptr) return;
  (*record)->agree(*entry);
  --doubts_;
  drop_if_agreed(record);
}

void PendingWrites::follow_all() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& record : records_) {
    for (Entry& entry : record->entries) {
      if (entry.state == State::open) entry.state = State::followed;
    }
  }
}

void PendingWrites::settle_all() noexcept {
  const std::lock_guard lock(mutex_);
  records_.clear();
  doubts_ = 0;
}

void PendingWrites::drop_if_agreed(Records::const_iterator record) noexcept {
  if ((*record)->disagreeing == 0) records_.erase(record);
}

}  // namespace telescope::inline v1::detail
