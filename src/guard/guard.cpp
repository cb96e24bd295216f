// Guard: GuardCore with its arguments checked and its exceptions caught.
#include "telescope/guard.hpp"

#include <cassert>

#include "guard_core.hpp"
#include "telescope/detail/catch_to_failure.hpp"

namespace telescope::inline v1 {
namespace {

using detail::catch_to_failure;

constexpr std::uint64_t kMostRemembered = std::uint64_t{1} << 28;

// Returns bad_argument, and which option it is, unless the options are good.
Outcome<void> check(const GuardOptions& options) {
  if (!(options.max_load > 0 && options.max_load < 1)) {
    return Failure{Error::bad_argument, "max_load must be in (0, 1)"};
  }
  if (!(options.growth > 1 && options.growth <= 16)) {
    return Failure{Error::bad_argument, "growth must be in (1, 16]"};
  }
  if (options.remembered > kMostRemembered) return Failure{Error::bad_argument, "remembered must be in [0, 2^28]"};
  if (!(options.adapts_per_second >= 0)) return Failure{Error::bad_argument, "adapts_per_second must be 0 or more"};
  if (!(options.adapt_burst >= 0)) return Failure{Error::bad_argument, "adapt_burst must be 0 or more"};
  return {};
}

}  // namespace

Outcome<Guard> Guard::create(AnyStore store, const SetOptions& set, const GuardOptions& options) {
  return catch_to_failure([&]() -> Outcome<Guard> {
    if (auto good = check(options); !good) return std::move(good).error();
    if (set.width < AnyFilter::kMinWidth || set.width > AnyFilter::kMaxWidth) {
      return Failure{Error::bad_argument, "width must be in [" + std::to_string(AnyFilter::kMinWidth) + ", " +
                                              std::to_string(AnyFilter::kMaxWidth) + "]"};
    }
    detail::SetMeta meta;
    meta.set = set;
    if (!meta.set.secret) meta.set.secret = Secret::random();
    meta.slots = FilterOptions::for_members(set.capacity, options.max_load).slots;
    if (meta.slots > FilterOptions::kMaxSlots) {
      return Failure{Error::bad_argument, "capacity must fit 2^40 slots: begin with less, the filter grows by itself"};
    }
    if (auto none = detail::expect_no_set(store); !none) return std::move(none).error();
    // The store is written when nothing else can fail, so that a set is there as a whole or not at all.
    auto core = std::make_unique<detail::GuardCore>(std::move(store), std::move(meta), options);
    if (auto loaded = core->load(); !loaded) return std::move(loaded).error();
    if (auto created = core->create(); !created) return std::move(created).error();
    return Guard(std::move(core));
  });
}

Outcome<Guard> Guard::open(AnyStore store, const GuardOptions& options) {
  return catch_to_failure([&]() -> Outcome<Guard> {
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
  return catch_to_failure([&] { return core_->get(key, nullptr); });
}
Outcome<bool> Guard::get(std::string_view key, std::string& value) {
  return catch_to_failure([&] {
    std::string read;
    auto found = core_->get(key, &read);
    if (found && *found) value = std::move(read);
    return found;
  });
}
Outcome<bool> Guard::insert(std::string_view key, std::string_view value) {
  return catch_to_failure([&] { return core_->insert(Entry{key, value}); });
}
Outcome<bool> Guard::erase(std::string_view key) {
  return catch_to_failure([&] { return core_->erase(key); });
}

Outcome<void> Guard::contains(std::span<const std::string_view> keys, std::span<std::uint8_t> present) {
  assert(present.size() >= keys.size());
  return catch_to_failure([&] { return core_->get(keys, {}, present); });
}
Outcome<void> Guard::get(std::span<const std::string_view> keys, std::span<std::string> values,
                         std::span<std::uint8_t> present) {
  assert(present.size() >= keys.size() && values.size() >= keys.size());
  return catch_to_failure([&] { return core_->get(keys, values, present); });
}
Outcome<std::uint64_t> Guard::insert(std::span<const Entry> entries) {
  return catch_to_failure([&] { return core_->insert(entries); });
}
Outcome<std::uint64_t> Guard::erase(std::span<const std::string_view> keys) {
  return catch_to_failure([&] { return core_->erase(keys); });
}

Outcome<void> Guard::each(EntrySink sink) {
  return catch_to_failure([&] { return core_->each(sink); });
}
Outcome<std::uint64_t> Guard::preload_negatives(std::span<const std::string_view> keys) {
  return catch_to_failure([&] { return core_->preload_negatives(keys); });
}
Outcome<void> Guard::save() {
  return catch_to_failure([&] { return core_->save(); });
}
Outcome<void> Guard::close() { return save(); }
Outcome<void> Guard::rebuild() {
  return catch_to_failure([&] { return core_->rebuild(); });
}
Outcome<void> Guard::resize(std::uint64_t slots) {
  return catch_to_failure([&] { return core_->resize(slots); });
}
Outcome<VerifyReport> Guard::verify() {
  return catch_to_failure([&] { return core_->verify(); });
}

GuardInfo Guard::info() const { return core_->info(); }
GuardCounters Guard::counters() const { return core_->counters(); }
std::array<std::uint64_t, 16> Guard::letters() const { return core_->letters(); }

}  // namespace telescope::inline v1
