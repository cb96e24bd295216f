// GuardCore: keys in doubt, after writes that failed.
#include "guard_core.hpp"

namespace telescope::inline v1::detail {

// Asks the store whether it holds the key, and makes the filter agree. Returns whether the key is a member. The caller
// holds the key's lock, or write_mutex_ alone.
Outcome<bool> GuardCore::resolve(const Hash& hash, std::string_view key, std::string* value) {
  auto found = read(hash, key, value);
  if (!found) return found;
  const auto direction = pending_.in_doubt(hash, key);
  if (!direction) return found;  // another thread was faster
  const auto agree = [&] { pending_.resolve(hash, key); };
  // An insert that did not reach the store, or an erase: the filter has not followed it and need not.
  if ((*direction == Direction::insert) != *found) {
    agree();
    return found;
  }
  StoreSource members = store_source();
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

// Called by a write, with as many keys as it may leave in doubt itself: so there are never many, however long a store
// is down.
Outcome<void> GuardCore::resolve_some(std::size_t count) {
  for (; count > 0 && pending_.doubts() != 0; --count) {
    const auto key = pending_.next_in_doubt();
    if (!key) return {};
    const Hash hash = hash_(*key);
    const std::lock_guard lock(key_locks_.of(hash));
    if (auto resolved = resolve(hash, *key, nullptr); !resolved) return std::move(resolved).error();
  }
  return {};
}

// The caller holds write_mutex_ alone.
Outcome<void> GuardCore::resolve_all() {
  while (const auto key = pending_.next_in_doubt()) {
    if (auto resolved = resolve(hash_(*key), *key, nullptr); !resolved) return std::move(resolved).error();
  }
  return {};
}

}  // namespace telescope::inline v1::detail
