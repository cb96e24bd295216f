// FaultyStore: a store that fails as told, in front of one that works, to test what you build on stores.
//
//   MemoryStore inner;
//   auto faults = std::make_shared<Faults>(FaultPlan{.before = .01, .torn = .01, .crash_at = 5000});
//   FaultyStore store(inner, faults);      refers to `inner`; FaultyStore(MemoryStore(), faults) owns its store
//
// After a crash, go on with `inner` (or take()), reopened if it has files. A torn write makes the first of its changes
// or any part of them, which the laws allow after an error. Injected errors have the code store_failed and say
// "injected".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "telescope/store.hpp"
#include "telescope/testing/faults.hpp"

namespace telescope::inline v1 {

// S is a store, or a reference to one. Thread-safe if the store is.
template <class S>
requires Store<std::remove_reference_t<S>>
class FaultyStore {
 public:
  using Inner = std::remove_reference_t<S>;

  FaultyStore(S&& store, std::shared_ptr<Faults> faults)
      : held_(hold(std::forward<S>(store))), faults_(std::move(faults)) {}

  Inner& inner() noexcept {
    if constexpr (std::is_reference_v<S>) {
      return *held_;
    } else {
      return held_;
    }
  }
  // Returns the store that it owns.
  Inner take() && requires(!std::is_reference_v<S>) { return std::move(held_); }
  Faults& faults() noexcept { return *faults_; }

  Outcome<bool> get(const RecordKey& key, std::string& value) {
    return forward<Outcome<bool>>([&] { return inner().get(key, value); });
  }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    const auto fate = next(Faults::Call::scan);
    if (does_nothing(fate)) return error(fate);
    // Few records, so that a scan of one quotient can fail in the middle; a scan of fewer fails at its end.
    std::uint64_t left = fate.fault == Fault::mid_scan ? Faults::mix(fate.random + 4) % 8 : ~std::uint64_t{0};
    auto scanned = inner().scan(first, last, [&](const Record& record) { return left-- > 0 && sink(record); });
    if (scanned && fate.fault != Fault::none) return error(fate);
    return scanned;
  }
  Outcome<void> write(std::span<const Write> writes) {
    return forward_changes(writes, [&](std::span<const Write> some) { return inner().write(some); });
  }
  Outcome<bool> get_meta(std::string_view name, std::string& value) {
    return forward<Outcome<bool>>([&] { return inner().get_meta(name, value); });
  }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) {
    return forward_changes(writes, [&](std::span<const MetaWrite> some) { return inner().put_meta(some); });
  }

  Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                         std::span<std::uint8_t> found) requires BatchReadingStore<Inner> {
    return forward<Outcome<void>>([&] { return inner().get_many(keys, values, found); });
  }
  Outcome<bool> contains(const RecordKey& key) requires MembershipStore<Inner> {
    return forward<Outcome<bool>>([&] { return inner().contains(key); });
  }
  // Applies all records or none, also under faults.
  Outcome<void> ingest(BulkSource records) requires BulkStore<Inner> {
    return forward<Outcome<void>>([&] { return inner().ingest(records); });
  }
  std::uint64_t version() requires VersionedStore<Inner> { return inner().version(); }
  std::uint64_t bytes() requires MeasuredStore<Inner> { return inner().bytes(); }
  bool settled() requires SettlingStore<Inner> { return inner().settled(); }

 private:
  using Held = std::conditional_t<std::is_reference_v<S>, Inner*, Inner>;
  static Held hold(S&& store) {
    if constexpr (std::is_reference_v<S>) {
      return &store;
    } else {
      return std::move(store);
    }
  }

  Faults::Fate next(Faults::Call call) {
    const auto fate = faults_->next(call);
    if (fate.delay.count() > 0) std::this_thread::sleep_for(fate.delay);
    return fate;
  }
  static bool does_nothing(const Faults::Fate& fate) noexcept {
    return fate.fault == Fault::before || fate.fault == Fault::crashed;
  }
  static Failure error(const Faults::Fate& fate) {
    switch (fate.fault) {
      case Fault::after: return {Error::store_failed, "injected: an error after all was done"};
      case Fault::torn: return {Error::store_failed, "injected: an error after part of a write"};
      case Fault::mid_scan: return {Error::store_failed, "injected: an error within a scan"};
      case Fault::crashed: return {Error::store_failed, "injected: the store has crashed"};
      default: return {Error::store_failed, "injected: an error before anything was done"};
    }
  }

  template <class Answer, class Body>
  Answer forward(Body body) {
    const auto fate = next(Faults::Call::other);
    if (does_nothing(fate)) return error(fate);
    auto answer = body();
    if (answer && fate.fault != Fault::none) return error(fate);
    return answer;
  }

  template <class Change, class Body>
  Outcome<void> forward_changes(std::span<const Change> changes, Body body) {
    const auto fate = next(Faults::Call::write);
    if (does_nothing(fate)) return error(fate);
    if (fate.fault != Fault::torn) {
      auto answer = body(changes);
      if (answer && fate.fault != Fault::none) return error(fate);
      return answer;
    }
    // Of n changes it makes 0 to n - 1: the first ones, or any of them.
    const std::uint64_t choice = Faults::mix(fate.random + 4);
    std::vector<Change> some;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const bool begins = i < choice % changes.size();
      const bool chosen = Faults::mix(choice + i) % 2 == 0 && some.size() + 1 < changes.size();
      if (choice >> 63 != 0 ? begins : chosen) some.push_back(changes[i]);
    }
    if (auto answer = body(std::span<const Change>(some)); !answer) return answer;
    return error(fate);
  }

  Held held_;
  std::shared_ptr<Faults> faults_;
};

template <class S>
FaultyStore(S&&, std::shared_ptr<Faults>) -> FaultyStore<S>;

}  // namespace telescope::inline v1
