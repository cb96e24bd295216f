// Guard: the shell. Nothing that a store or an allocator throws gets past it.
#include "telescope/guard.hpp"

#include <cassert>
#include <exception>
#include <new>

#include "guard_core.hpp"

namespace telescope {
inline namespace v1 {
namespace {

template <class Body>
auto contained(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Failure{Error::no_memory, std::string()};
  } catch (const std::exception& error) {
    return Failure{Error::store_failed, error.what()};
  }
}

Outcome<void> check(const GuardOptions& options) {
  if (!(options.max_load > 0 && options.max_load < 1)) {
    return Failure{Error::bad_argument, "max_load must lie between 0 and 1"};
  }
  if (!(options.growth > 1 && options.growth <= 16)) {
    return Failure{Error::bad_argument, "growth must lie above 1, and at most at 16"};
  }
  return {};
}

}  // namespace

Outcome<Guard> Guard::create(AnyStore store, const SetOptions& set, const GuardOptions& options) {
  return contained([&]() -> Outcome<Guard> {
    if (auto good = check(options); !good) return std::move(good).error();
    if (set.bits < AnyFilter::kMinWidth || set.bits > AnyFilter::kMaxWidth) {
      return Failure{Error::bad_argument, "remainders have 4 to 16 bits"};
    }
    detail::SetMeta meta;
    meta.set = set;
    if (!meta.set.secret) meta.set.secret = Secret::random();
    meta.slots = FilterOptions::for_members(set.capacity, options.max_load).slots;
    if (meta.slots > FilterOptions::kMaxSlots) {
      return Failure{Error::bad_argument, "a filter has at most 2^40 slots: begin with less, it grows by itself"};
    }
    if (auto created = detail::create_meta(store, meta); !created) return std::move(created).error();
    return open(std::move(store), options);
  });
}

Outcome<Guard> Guard::open(AnyStore store, const GuardOptions& options) {
  return contained([&]() -> Outcome<Guard> {
    if (auto good = check(options); !good) return std::move(good).error();
    auto meta = detail::read_meta(store);
    if (!meta) return std::move(meta).error();
    auto core = std::make_unique<detail::GuardCore>(std::move(store), std::move(*meta), options);
    if (auto loaded = core->load(); !loaded) return std::move(loaded).error();
    return Guard(std::move(core));
  });
}

Guard::Guard(std::unique_ptr<detail::GuardCore> core) noexcept : core_(std::move(core)) {}
Guard::Guard(Guard&&) noexcept = default;
Guard& Guard::operator=(Guard&&) noexcept = default;
Guard::~Guard() = default;

Outcome<bool> Guard::contains(std::string_view key) {
  return contained([&] {
    std::string value;
    return core_->look_up(key, value);
  });
}
Outcome<bool> Guard::get(std::string_view key, std::string& value) {
  return contained([&] {
    std::string read;
    auto found = core_->look_up(key, read);
    if (found && *found) value = std::move(read);
    return found;
  });
}
Outcome<bool> Guard::insert(std::string_view key, std::string_view value) {
  return contained([&] { return core_->insert(Entry{key, value}); });
}
Outcome<bool> Guard::erase(std::string_view key) {
  return contained([&] { return core_->erase(key); });
}

Outcome<void> Guard::contains(std::span<const std::string_view> keys, std::span<std::uint8_t> present) {
  assert(present.size() >= keys.size());
  return contained([&] { return core_->look_up(keys, {}, present); });
}
Outcome<void> Guard::get(std::span<const std::string_view> keys, std::span<std::string> values,
                         std::span<std::uint8_t> present) {
  assert(present.size() >= keys.size() && values.size() >= keys.size());
  return contained([&] { return core_->look_up(keys, values, present); });
}
Outcome<std::uint64_t> Guard::insert(std::span<const Entry> entries) {
  return contained([&] { return core_->insert(entries); });
}
Outcome<std::uint64_t> Guard::erase(std::span<const std::string_view> keys) {
  return contained([&] { return core_->erase(keys); });
}

Outcome<void> Guard::each(EntrySink sink) {
  return contained([&] { return core_->each(sink); });
}
Outcome<std::uint64_t> Guard::preload_negatives(std::span<const std::string_view> keys) {
  return contained([&] { return core_->preload_negatives(keys); });
}
Outcome<void> Guard::save() {
  return contained([&] { return core_->save(); });
}
Outcome<void> Guard::close() { return save(); }
Outcome<void> Guard::rebuild() {
  return contained([&] { return core_->rebuild(); });
}
Outcome<void> Guard::resize(std::uint64_t slots) {
  return contained([&] { return core_->resize(slots); });
}
Outcome<VerifyReport> Guard::verify() {
  return contained([&] { return core_->verify(); });
}

GuardInfo Guard::info() const { return core_->info(); }
GuardCounters Guard::counters() const { return core_->counters(); }
std::vector<std::uint64_t> Guard::letters() const { return core_->letters(); }

}  // namespace v1
}  // namespace telescope
