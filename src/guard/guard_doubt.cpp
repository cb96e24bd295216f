// GuardCore: keys in doubt, after writes that failed.
#include "guard_core.hpp"

namespace telescope::inline v1::detail {

// A store whose log has failed cannot say what became of a write: what get and scan find now may be undone or redone
// when it is opened again. Until then keys stay in doubt.
Outcome<void> GuardCore::expect_settled() {
  if (pending_.doubts() == 0 || store_.settled()) return {};
  return failed(Failure{Error::store_failed,
                        "a write failed in the store's log, and only a store that is opened again can say whether it "
                        "was done: open the set again"});
}

// Asks the store whether it holds the key, and makes the filter agree. Returns whether the key is a member. The caller
// holds the key's lock, or write_mutex_ alone, so that nobody writes the key.
Outcome<bool> GuardCore::resolve(const Hash& hash, std::string_view key, std::string* value) {
  const auto in_filter = pending_.in_doubt(hash, key);
  if (in_filter) {
    if (auto settled = expect_settled(); !settled) return std::move(settled).error();
  }
  auto found = read(hash, key, value);
  if (!found || !in_filter) return found;
  if (*found != *in_filter) {
    const auto before_commit = [&] { pending_.follow(hash, key); };
    if (auto followed = follow(hash, *found, before_commit); !followed) return std::move(followed).error();
  }
  pending_.settle(hash, key);
  return found;
}

// Called by a write, with as many keys as it may leave in doubt itself: so there are never many, however long a store
// is down. Keys that another thread settles meanwhile do not count.
Outcome<void> GuardCore::resolve_some(std::size_t count) {
  while (count > 0 && pending_.doubts() != 0) {
    const auto key = pending_.next_in_doubt();
    if (!key) return {};
    const Hash hash = hash_(*key);
    const std::lock_guard lock(key_locks_.of(hash));
    if (!in_doubt(hash, *key)) continue;
    if (auto resolved = resolve(hash, *key, nullptr); !resolved) return std::move(resolved).error();
    --count;
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
