// The laws of a store (store.hpp), as tests over any of them. A *setting* opens the store, and opens it again:
//
//   struct Setting { Store open(); };   a second open() may find what the first left, if it says kLasts
//
// TELESCOPE_STORE_LAWS(Name, Settings) runs them.
#pragma once

#include <algorithm>
#include <random>

#include "origins.hpp"
#include "support/store_records.hpp"

namespace telescope::testing {

// Few positions and few keys, so that they meet; among them all that an order can get wrong.
inline const std::vector<std::uint64_t> kPositions = {
    0, 1, 127, 128, 255, 256, 1 << 16, 0x7fff'ffff'ffff'ffff, 0x8000'0000'0000'0000, kLastPosition - 1, kLastPosition};
inline const std::vector<std::string> kKeys = {"",
                                               std::string(1, '\0'),
                                               std::string(2, '\0'),
                                               "a",
                                               std::string("a\0", 2),
                                               std::string("a\0b", 3),
                                               "ab",
                                               "\x7f",
                                               "\x80",
                                               "\xff",
                                               "\xff\xff",
                                               std::string(300, 'x'),
                                               std::string(300, 'x') + '\x80'};

template <class Setting>
class StoreLaws : public ::testing::Test {
 protected:
  Setting setting;
};
TYPED_TEST_SUITE_P(StoreLaws);

TYPED_TEST_P(StoreLaws, EmptyHoldsNothing) {
  auto store = this->setting.open();
  EXPECT_EQ(value_in(store, 0, ""), std::nullopt);
  EXPECT_TRUE(records_in(store).empty());
  std::string value;
  EXPECT_FALSE(store.get_meta("name", value).value());
}

TYPED_TEST_P(StoreLaws, AnswersAsAMapDoes) {
  auto store = this->setting.open();
  StoreTwin twin;
  std::mt19937_64 random(1);
  const auto any = [&](const auto& from) { return from[random() % from.size()]; };
  for (int step = 0; step < 600; ++step) {
    std::vector<OwnRecord> changes(random() % 8);
    std::vector<Write> writes;
    for (auto& change : changes) {
      change = {any(kPositions), any(kKeys), random() % 3 == 0 ? "" : std::string(random() % 40, char(random()))};
      const bool puts = random() % 3 != 0;
      writes.push_back(
          {change.position, change.key, puts ? std::optional<std::string_view>(change.value) : std::nullopt});
      puts ? twin.put(change.position, change.key, change.value) : twin.erase(change.position, change.key);
    }
    ASSERT_TRUE(store.write(writes).ok());

    const std::uint64_t position = any(kPositions);
    const std::string key = any(kKeys);
    ASSERT_EQ(value_in(store, position, key), twin.value(position, key));
    if constexpr (MembershipStore<decltype(store)>) {
      ASSERT_EQ(store.contains({position, key}).value(), twin.value(position, key).has_value());
    }
    const auto [first, last] = std::minmax({any(kPositions), any(kPositions)});
    ASSERT_EQ(records_in(store, first, last), twin.records(first, last));
  }
  EXPECT_EQ(records_in(store), twin.records());
  EXPECT_GT(twin.records().size(), 50U);
}

TYPED_TEST_P(StoreLaws, ScansInOrderOfPositionThenOfBytes) {
  auto store = this->setting.open();
  StoreTwin twin;
  for (const auto& key : kKeys) {
    for (const auto position : kPositions) {
      ASSERT_TRUE(put(store, position, key, "of " + key).ok());
      twin.put(position, key, "of " + key);
    }
  }
  EXPECT_EQ(records_in(store), twin.records());
  for (const auto position : kPositions) {
    EXPECT_EQ(records_in(store, position, position), twin.records(position, position)) << position;
  }
  EXPECT_TRUE(records_in(store, 2, 126).empty());
  EXPECT_TRUE(records_in(store, 1, 0).empty());
}

TYPED_TEST_P(StoreLaws, ASinkMayStopAndMayRead) {
  auto store = this->setting.open();
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(put(store, i, "k", std::to_string(i)).ok());
  for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 99u}) {
    const auto some = records_in(store, 0, kLastPosition, count);
    ASSERT_EQ(some.size(), count);
    EXPECT_EQ(some.back().position, count - 1);
  }
  std::size_t seen = 0;
  const auto scanned = store.scan(0, 50, [&](const Record& record) {
    seen += value_in(store, record.position, record.key) == std::string(record.value) ? 1 : 0;
    return true;
  });
  EXPECT_TRUE(scanned.ok());
  EXPECT_EQ(seen, 51U);
}

TYPED_TEST_P(StoreLaws, ChangesOfOneWriteApplyInOrder) {
  auto store = this->setting.open();
  const std::vector<Write> writes = {{7, "a", "1"},          {7, "a", "2"},          {7, "b", "1"},
                                     {7, "b", std::nullopt}, {7, "c", std::nullopt}, {7, "c", "3"},
                                     {7, "d", std::nullopt}};
  ASSERT_TRUE(store.write(writes).ok());
  EXPECT_EQ(records_in(store), (std::vector<OwnRecord>{{7, "a", "2"}, {7, "c", "3"}}));
  ASSERT_TRUE(store.write({}).ok());
  EXPECT_EQ(records_in(store).size(), 2U);
}

TYPED_TEST_P(StoreLaws, MetaIsApartFromRecords) {
  auto store = this->setting.open();
  const std::string zeros(3, '\0');
  const std::vector<MetaWrite> writes = {{"one", "1"}, {zeros, "zeros"}, {"", ""}, {"one", "2"}};
  ASSERT_TRUE(store.put_meta(writes).ok());
  ASSERT_TRUE(put(store, 0, "one", "a record").ok());
  std::string value = "before";
  EXPECT_TRUE(store.get_meta("one", value).value());
  EXPECT_EQ(value, "2");
  EXPECT_TRUE(store.get_meta(zeros, value).value());
  EXPECT_EQ(value, "zeros");
  EXPECT_TRUE(store.get_meta("", value).value());
  EXPECT_EQ(value, "");
  EXPECT_FALSE(store.get_meta("on", value).value());
  EXPECT_EQ(records_in(store).size(), 1U);
}

TYPED_TEST_P(StoreLaws, AMovedStoreIsTheSame) {
  auto first = this->setting.open();
  ASSERT_TRUE(put(first, 1, "a", "1").ok());
  auto second = std::move(first);
  ASSERT_TRUE(put(second, 2, "b", "2").ok());
  EXPECT_EQ(records_in(second).size(), 2U);
}

TYPED_TEST_P(StoreLaws, VersionTellsEveryChange) {
  auto store = this->setting.open();
  if constexpr (VersionedStore<decltype(store)>) {
    if (!TypeParam::kVersioned) return;
    std::uint64_t before = store.version();
    EXPECT_NE(before, 0U);
    const auto changed = [&] { return std::exchange(before, store.version()) != store.version(); };
    ASSERT_TRUE(put(store, 1, "a", "1").ok());
    EXPECT_TRUE(changed());
    ASSERT_TRUE(put(store, 1, "a", "1").ok());
    EXPECT_TRUE(changed());
    ASSERT_TRUE(erase(store, 1, "not there").ok());
    EXPECT_TRUE(changed());
    ASSERT_TRUE(put_meta(store, "a", "1").ok());
    EXPECT_TRUE(changed());
    (void)records_in(store);
    (void)value_in(store, 1, "a");
    EXPECT_FALSE(changed());
    if constexpr (BulkStore<decltype(store)>) {
      ASSERT_TRUE(ingest(store, {{5, "x", "1"}, {6, "y", "2"}}).ok());
      EXPECT_TRUE(changed());
      ASSERT_TRUE(ingest(store, {{3, "x", "1"}, {9, "y", "2"}}).ok());
      EXPECT_TRUE(changed());
    }
  }
}

TYPED_TEST_P(StoreLaws, IngestIsAllOrNone) {
  auto store = this->setting.open();
  if constexpr (BulkStore<decltype(store)>) {
    ASSERT_TRUE(put(store, 3, "there", "before").ok());
    StoreTwin twin;
    twin.put(3, "there", "before");
    std::vector<OwnRecord> records;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      for (const auto* key : {"", "a", "\xff"}) records.push_back({i << 50, key, std::to_string(i)});
    }
    for (const auto& record : records) twin.put(record.position, record.key, record.value);
    ASSERT_TRUE(ingest(store, {}).ok());
    ASSERT_TRUE(ingest(store, records).ok());
    EXPECT_EQ(records_in(store), twin.records());

    for (const auto& wrong : {OwnRecord{8, "b", "2"}, OwnRecord{8, "c", "2"}, OwnRecord{7, "z", "2"}}) {
      const auto refused = ingest(store, {{8, "c", "1"}, wrong});
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().code, Error::unordered);
    }
    EXPECT_EQ(records_in(store), twin.records());
    // What is written later counts.
    ASSERT_TRUE(put(store, 1ULL << 50, "a", "later").ok());
    EXPECT_EQ(value_in(store, 1ULL << 50, "a"), "later");
    ASSERT_TRUE(erase(store, 2ULL << 50, "a").ok());
    EXPECT_EQ(value_in(store, 2ULL << 50, "a"), std::nullopt);
  }
}

TYPED_TEST_P(StoreLaws, GetManyIsManyGets) {
  auto store = this->setting.open();
  if constexpr (BatchReadingStore<decltype(store)>) {
    std::vector<RecordKey> keys;
    for (std::uint64_t i = 0; i < 100; ++i) {
      if (i % 3 != 0) {
        ASSERT_TRUE(put(store, i, "k", std::to_string(i)).ok());
      }
      keys.push_back({99 - i, "k"});
    }
    keys.push_back({1, "k"});  // twice
    std::vector<std::string> values(keys.size());
    std::vector<std::uint8_t> found(keys.size(), 7);
    ASSERT_TRUE(store.get_many(keys, values, found).ok());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto value = value_in(store, keys[i].position, keys[i].key);
      ASSERT_EQ(found[i], value.has_value() ? 1 : 0) << i;
      if (value) {
        ASSERT_EQ(values[i], *value);
      }
    }
    std::vector<std::uint8_t> found_without_values(keys.size(), 7);
    ASSERT_TRUE(store.get_many(keys, {}, found_without_values).ok());
    EXPECT_EQ(found_without_values, found);
    ASSERT_TRUE(store.get_many({}, {}, {}).ok());
  }
}

TYPED_TEST_P(StoreLaws, LastsWhereItSaysSo) {
  if constexpr (TypeParam::kLasts) {
    StoreTwin twin;
    std::uint64_t version = 0;
    for (int round = 0; round < 3; ++round) {
      auto store = this->setting.open();
      if constexpr (VersionedStore<decltype(store)>) {
        if (round > 0) {
          EXPECT_EQ(store.version(), version);
        }
      }
      EXPECT_EQ(records_in(store), twin.records());
      std::string value;
      EXPECT_EQ(store.get_meta("round", value).value(), round > 0);
      if (round > 0) {
        EXPECT_EQ(value, std::to_string(round - 1));
      }
      for (std::uint64_t i = 0; i < 500; ++i) {
        const auto position = (i * 0x9e3779b97f4a7c15) << round;
        ASSERT_TRUE(put(store, position, "k", std::to_string(i)).ok());
        twin.put(position, "k", std::to_string(i));
      }
      ASSERT_TRUE(put_meta(store, "round", std::to_string(round)).ok());
      if constexpr (VersionedStore<decltype(store)>) version = store.version();
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(StoreLaws, EmptyHoldsNothing, AnswersAsAMapDoes, ScansInOrderOfPositionThenOfBytes,
                            ASinkMayStopAndMayRead, ChangesOfOneWriteApplyInOrder, MetaIsApartFromRecords,
                            AMovedStoreIsTheSame, VersionTellsEveryChange, IngestIsAllOrNone, GetManyIsManyGets,
                            LastsWhereItSaysSo);

#define TELESCOPE_STORE_LAWS(Name, Settings)                   \
  const ::telescope::testing::Origin k##Name(#Name, __FILE__); \
  INSTANTIATE_TYPED_TEST_SUITE_P(Name, StoreLaws, Settings)

}  // namespace telescope::testing
