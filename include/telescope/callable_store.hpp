// CallableStore: your own database as a store. It takes five callables, and three more if there is something to say.
//
//   CallableStore store({.get = [&](const RecordKey& key, std::string& value) -> Outcome<bool> { ... },
//                        .scan = ..., .write = ..., .get_meta = ..., .put_meta = ...});
//
// The callables must keep the laws of store.hpp; several threads may call one of them at once. They may throw, which
// becomes the error store_failed, or no_memory. examples/sqlite_store.hpp is a complete one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "telescope/detail/catch_to_failure.hpp"
#include "telescope/store.hpp"

namespace telescope::inline v1 {

struct StoreCalls {
  std::function<Outcome<bool>(const RecordKey& key, std::string& value)> get;
  std::function<Outcome<void>(std::uint64_t first, std::uint64_t last, RecordSink sink)> scan;
  std::function<Outcome<void>(std::span<const Write> writes)> write;
  std::function<Outcome<bool>(std::string_view name, std::string& value)> get_meta;
  std::function<Outcome<void>(std::span<const MetaWrite> writes)> put_meta;
  std::function<std::uint64_t()> version = {};  // unknown if empty
  std::function<std::uint64_t()> bytes = {};    // unknown if empty
  std::function<bool()> settled = {};           // always if empty
};

class CallableStore {
 public:
  // A callable that is empty fails with store_failed when it is needed.
  explicit CallableStore(StoreCalls calls) : calls_(std::move(calls)) {}

  Outcome<bool> get(const RecordKey& key, std::string& value) {
    return call<Outcome<bool>>("get failed: ", calls_.get, key, value);
  }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return call<Outcome<void>>("scan failed: ", calls_.scan, first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) {
    return call<Outcome<void>>("write failed: ", calls_.write, writes);
  }
  Outcome<bool> get_meta(std::string_view name, std::string& value) {
    return call<Outcome<bool>>("get_meta failed: ", calls_.get_meta, name, value);
  }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) {
    return call<Outcome<void>>("put_meta failed: ", calls_.put_meta, writes);
  }

  std::uint64_t version() { return answer_of(calls_.version, std::uint64_t{0}); }
  std::uint64_t bytes() { return answer_of(calls_.bytes, std::uint64_t{0}); }
  bool settled() { return answer_of(calls_.settled, true); }

 private:
  template <class Answer, class Callable, class... Arguments>
  Answer call(std::string_view prefix, const Callable& callable, Arguments&&... arguments) {
    if (!callable) return detail::failure_with(Error::store_failed, prefix, "the store lacks this callable: pass one");
    return detail::catch_to_failure([&] { return callable(std::forward<Arguments>(arguments)...); }, prefix);
  }
  // Returns `unknown` if there is no callable, and nothing but zero or false if it throws.
  template <class Answer>
  static Answer answer_of(const std::function<Answer()>& callable, Answer unknown) noexcept {
    if (!callable) return unknown;
    try {
      return callable();
    } catch (...) {
      return Answer{};
    }
  }

  StoreCalls calls_;
};

static_assert(VersionedStore<CallableStore> && MeasuredStore<CallableStore> && SettlingStore<CallableStore>);

}  // namespace telescope::inline v1
