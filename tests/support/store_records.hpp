// Short hands for tests of stores: records that own their bytes, and a plain map to compare with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "telescope/store.hpp"

namespace telescope::testing {

struct OwnRecord {
  std::uint64_t position = 0;
  std::string key;
  std::string value;
  bool operator==(const OwnRecord&) const = default;
};
inline void PrintTo(const OwnRecord& record, std::ostream* out) {
  *out << record.position << '/' << ::testing::PrintToString(record.key) << '='
       << ::testing::PrintToString(record.value);
}

constexpr std::uint64_t kLastPosition = ~std::uint64_t{0};

template <Store S>
std::optional<std::string> value_in(S& store, std::uint64_t position, std::string_view key) {
  std::string value;
  const auto got = store.get({position, key}, value);
  if (!got.ok()) ADD_FAILURE() << got.error().what;
  return got.ok() && *got ? std::optional(value) : std::nullopt;
}

template <Store S>
std::vector<OwnRecord> records_in(S& store, std::uint64_t first = 0, std::uint64_t last = kLastPosition,
                                  std::size_t at_most = ~std::size_t{0}) {
  std::vector<OwnRecord> records;
  const auto scanned = store.scan(first, last, [&](const Record& record) {
    records.push_back({record.position, std::string(record.key), std::string(record.value)});
    return records.size() < at_most;
  });
  if (!scanned.ok()) ADD_FAILURE() << scanned.error().what;
  return records;
}

template <Store S>
Outcome<void> put(S& store, std::uint64_t position, std::string_view key, std::string_view value) {
  const Write write{position, key, value};
  return store.write(std::span(&write, 1));
}
template <Store S>
Outcome<void> erase(S& store, std::uint64_t position, std::string_view key) {
  const Write write{position, key, std::nullopt};
  return store.write(std::span(&write, 1));
}
template <Store S>
Outcome<void> put_meta(S& store, std::string_view name, std::string_view value) {
  const MetaWrite write{name, value};
  return store.put_meta(std::span(&write, 1));
}
template <class S>
Outcome<void> ingest(S& store, const std::vector<OwnRecord>& records) {
  std::size_t i = 0;
  return store.ingest([&]() -> std::optional<Record> {
    if (i == records.size()) return std::nullopt;
    const OwnRecord& record = records[i++];
    return Record{record.position, record.key, record.value};
  });
}

// What a store should hold, in a plain map under the order that the laws name.
class StoreTwin {
 public:
  void put(std::uint64_t position, const std::string& key, std::string value) {
    records_[{position, {key.begin(), key.end()}}] = std::move(value);
  }
  void erase(std::uint64_t position, const std::string& key) { records_.erase({position, {key.begin(), key.end()}}); }
  std::optional<std::string> value(std::uint64_t position, const std::string& key) const {
    const auto at = records_.find({position, {key.begin(), key.end()}});
    return at == records_.end() ? std::nullopt : std::optional(at->second);
  }
  std::vector<OwnRecord> records(std::uint64_t first = 0, std::uint64_t last = kLastPosition) const {
    std::vector<OwnRecord> found;
    for (const auto& [place, value] : records_) {
      if (place.first < first || place.first > last) continue;
      found.push_back({place.first, {place.second.begin(), place.second.end()}, value});
    }
    return found;
  }

 private:
  using Place = std::pair<std::uint64_t, std::vector<unsigned char>>;
  std::map<Place, std::string> records_;
};

}  // namespace telescope::testing
