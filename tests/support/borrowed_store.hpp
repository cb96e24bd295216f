// A store that outlives its guards, as a database does.
#pragma once

#include <telescope/store.hpp>

namespace telescope::testing {

template <Store S>
class Borrowed {
 public:
  explicit Borrowed(S& store) : store_(&store) {}
  Outcome<bool> get(const RecordKey& key, std::string& value) { return store_->get(key, value); }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return store_->scan(first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) { return store_->write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) { return store_->get_meta(name, value); }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) { return store_->put_meta(writes); }
  std::uint64_t version() requires VersionedStore<S> { return store_->version(); }
  bool settled() requires SettlingStore<S> { return store_->settled(); }

 private:
  S* store_;
};

}  // namespace telescope::testing
