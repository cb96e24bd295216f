#include "unsettled.hpp"

#include <algorithm>

namespace telescope {
inline namespace v1 {
namespace detail {

Unsettled::Batch::Batch(Unsettled& all, Holder holder, std::vector<Item> items)
    : all_(all), holder_(holder), items_(std::move(items)) {
  const std::lock_guard lock(all_.mutex_);
  all_.batches_.push_back(this);
}

Unsettled::Batch::~Batch() {
  const std::lock_guard lock(all_.mutex_);
  for (const Item& item : items_) {
    if (item.settled) continue;
    all_.doubt_of_.insert_or_assign(Key(item.hash.position, item.key), Doubt{item.hash, holder_});
  }
  all_.doubts_ = all_.doubt_of_.size();
  std::erase(all_.batches_, this);
}

void Unsettled::Batch::forget() noexcept {
  const std::lock_guard lock(all_.mutex_);
  for (Item& item : items_) item.settled = true;
}

void Unsettled::correct(const QuotientRange& range, std::vector<Found>& found) const {
  const std::lock_guard lock(mutex_);
  std::vector<Found> held;  // by the filter, and perhaps by the store
  const auto entered = [&](const Hash& hash, std::string_view key, Holder holder) {
    std::erase_if(found, [&](const Found& one) { return one.hash == hash && one.key == key; });
    if (holder == Holder::filter) held.push_back({hash, std::string(key)});
  };
  for (auto doubt = doubt_of_.lower_bound(Key(range.first_position, {}));
       doubt != doubt_of_.end() && doubt->first.first <= range.last_position; ++doubt) {
    entered(doubt->second.hash, doubt->first.second, doubt->second.holder);
  }
  for (const Batch* const batch : batches_) {
    const auto before = [](const Item& item, std::uint64_t position) { return item.hash.position < position; };
    auto item = std::lower_bound(batch->items_.begin(), batch->items_.end(), range.first_position, before);
    for (; item != batch->items_.end() && item->hash.position <= range.last_position; ++item) {
      if (!item->settled) entered(item->hash, item->key, batch->holder_);
    }
  }
  found.insert(found.end(), std::make_move_iterator(held.begin()), std::make_move_iterator(held.end()));
}

std::optional<Holder> Unsettled::doubt(const Hash& hash, std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto doubt = doubt_of_.find(Key(hash.position, key));
  return doubt == doubt_of_.end() ? std::nullopt : std::optional(doubt->second.holder);
}

void Unsettled::settle(const Hash& hash, std::string_view key) noexcept {
  const std::lock_guard lock(mutex_);
  doubt_of_.erase(Key(hash.position, key));
  doubts_ = doubt_of_.size();
}

std::optional<std::string> Unsettled::next_doubt() const {
  const std::lock_guard lock(mutex_);
  return doubt_of_.empty() ? std::nullopt : std::optional(doubt_of_.begin()->first.second);
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
