#include "pending_writes.hpp"

#include <algorithm>

namespace telescope::inline v1::detail {

PendingWrites::Batch::Batch(PendingWrites& all, Direction direction, std::vector<Item> items)
    : all_(all), direction_(direction), items_(std::move(items)) {
  const std::lock_guard lock(all_.mutex_);
  all_.batches_.push_back(this);
}

PendingWrites::Batch::~Batch() {
  const std::lock_guard lock(all_.mutex_);
  for (const Item& item : items_) {
    if (item.complete) continue;
    all_.in_doubt_.insert_or_assign(Key(item.hash.position, item.key), Doubt{item.hash, direction_});
  }
  all_.doubts_ = all_.in_doubt_.size();
  std::erase(all_.batches_, this);
}

void PendingWrites::Batch::cancel() noexcept {
  const std::lock_guard lock(all_.mutex_);
  for (Item& item : items_) item.complete = true;
}

void PendingWrites::correct(const QuotientRange& range, std::vector<Member>& members) const {
  const std::lock_guard lock(mutex_);
  std::vector<Member> leaving;  // in the filter, and perhaps in the store
  const auto apply = [&](const Hash& hash, std::string_view key, Direction direction) {
    std::erase_if(members, [&](const Member& member) { return member.hash == hash && member.key == key; });
    if (direction == Direction::erase) leaving.push_back({hash, std::string(key)});
  };
  for (auto doubt = in_doubt_.lower_bound(Key(range.first_position, {}));
       doubt != in_doubt_.end() && doubt->first.first <= range.last_position; ++doubt) {
    apply(doubt->second.hash, doubt->first.second, doubt->second.direction);
  }
  for (const Batch* const batch : batches_) {
    const auto before = [](const Item& item, std::uint64_t position) { return item.hash.position < position; };
    auto item = std::lower_bound(batch->items_.begin(), batch->items_.end(), range.first_position, before);
    for (; item != batch->items_.end() && item->hash.position <= range.last_position; ++item) {
      if (!item->complete) apply(item->hash, item->key, batch->direction_);
    }
  }
  members.insert(members.end(), std::make_move_iterator(leaving.begin()), std::make_move_iterator(leaving.end()));
}

std::optional<Direction> PendingWrites::in_doubt(const Hash& hash, std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto doubt = in_doubt_.find(Key(hash.position, key));
  return doubt == in_doubt_.end() ? std::nullopt : std::optional(doubt->second.direction);
}

std::optional<std::string> PendingWrites::next_in_doubt() const {
  const std::lock_guard lock(mutex_);
  return in_doubt_.empty() ? std::nullopt : std::optional(in_doubt_.begin()->first.second);
}

void PendingWrites::resolve(const Hash& hash, std::string_view key) noexcept {
  const std::lock_guard lock(mutex_);
  in_doubt_.erase(Key(hash.position, key));
  doubts_ = in_doubt_.size();
}

}  // namespace telescope::inline v1::detail
