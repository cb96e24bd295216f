// Stores that need nothing but memory, under the laws of the concept.
#include "support/store_laws.hpp"

#include "telescope/any_store.hpp"
#include "telescope/callable_store.hpp"
#include "telescope/memory_store.hpp"
#include "telescope/testing/faulty_store.hpp"

namespace telescope::testing {
namespace {

CallableStore through_callables(std::shared_ptr<MemoryStore> store) {
  return CallableStore({
      .get = [store](const RecordKey& key, std::string& value) { return store->get(key, value); },
      .scan = [store](std::uint64_t first, std::uint64_t last,
                      RecordSink sink) { return store->scan(first, last, sink); },
      .write = [store](std::span<const Write> writes) { return store->write(writes); },
      .get_meta = [store](std::string_view name, std::string& value) { return store->get_meta(name, value); },
      .put_meta = [store](std::span<const MetaWrite> writes) { return store->put_meta(writes); },
      .version = [store] { return store->version(); },
  });
}

struct InMemory {
  static constexpr bool kLasts = false;
  static constexpr bool kVersioned = true;
  MemoryStore open() { return {}; }
};
struct AnyInMemory {
  static constexpr bool kLasts = false;
  static constexpr bool kVersioned = true;
  AnyStore open() { return AnyStore(MemoryStore()); }
};
struct ByCallables {
  static constexpr bool kLasts = false;
  static constexpr bool kVersioned = true;
  CallableStore open() { return through_callables(std::make_shared<MemoryStore>()); }
};
struct WithoutFaults {
  static constexpr bool kLasts = false;
  static constexpr bool kVersioned = true;
  FaultyStore<MemoryStore> open() { return {MemoryStore(), std::make_shared<Faults>()}; }
};
struct WithoutFaultsByReference {
  static constexpr bool kLasts = true;
  static constexpr bool kVersioned = true;
  MemoryStore store;
  FaultyStore<MemoryStore&> open() { return {store, std::make_shared<Faults>()}; }
};

using Settings = ::testing::Types<InMemory, AnyInMemory, ByCallables, WithoutFaults, WithoutFaultsByReference>;
TELESCOPE_STORE_LAWS(Memory, Settings);

TEST(MemoryStore, ACopySharesNothing) {
  MemoryStore one;
  ASSERT_TRUE(put(one, 1, "a", "1").ok());
  ASSERT_TRUE(put_meta(one, "m", "1").ok());
  MemoryStore two = one;
  EXPECT_EQ(two.version(), one.version());
  EXPECT_EQ(two.bytes(), one.bytes());
  ASSERT_TRUE(put(two, 1, "a", "2").ok());
  ASSERT_TRUE(put(one, 3, "c", "3").ok());
  ASSERT_TRUE(put_meta(two, "m", "2").ok());
  EXPECT_EQ(records_in(one), (std::vector<OwnRecord>{{1, "a", "1"}, {3, "c", "3"}}));
  EXPECT_EQ(records_in(two), (std::vector<OwnRecord>{{1, "a", "2"}}));
  std::string value;
  EXPECT_TRUE(one.get_meta("m", value).value());
  EXPECT_EQ(value, "1");
  one = two;
  EXPECT_EQ(records_in(one), records_in(two));
}

TEST(MemoryStore, CountsBytes) {
  MemoryStore store;
  EXPECT_EQ(store.bytes(), 0U);
  ASSERT_TRUE(put(store, 1, "abc", "12345").ok());
  EXPECT_EQ(store.bytes(), 16U);
  ASSERT_TRUE(put(store, 1, "abc", "1").ok());
  EXPECT_EQ(store.bytes(), 12U);
  ASSERT_TRUE(ingest(store, {{0, "", ""}, {1, "abc", "12"}}).ok());
  EXPECT_EQ(store.bytes(), 8U + 13U);
  ASSERT_TRUE(erase(store, 1, "abc").ok());
  ASSERT_TRUE(erase(store, 0, "").ok());
  EXPECT_EQ(store.bytes(), 0U);
  EXPECT_EQ(store.size(), 0U);
}

TEST(CallableStore, WhatIsThrownOrMissingIsAnError) {
  CallableStore store({.get = [](const RecordKey&, std::string&) -> Outcome<bool> { throw std::runtime_error("gone"); },
                       .scan = [](std::uint64_t, std::uint64_t, RecordSink) -> Outcome<void> { throw 1; },
                       .write = [](std::span<const Write>) -> Outcome<void> { throw std::bad_alloc(); },
                       .get_meta = {},
                       .put_meta = {}});
  std::string value;
  const auto got = store.get({}, value);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, Error::store_failed);
  EXPECT_NE(got.error().what.find("gone"), std::string::npos);
  EXPECT_EQ(store.scan(0, 1, [](const Record&) { return true; }).error().code, Error::store_failed);
  EXPECT_EQ(store.write({}).error().code, Error::no_memory);
  EXPECT_EQ(store.get_meta("a", value).error().code, Error::store_failed);
  EXPECT_EQ(store.put_meta({}).error().code, Error::store_failed);
  EXPECT_EQ(store.version(), 0U);
  EXPECT_EQ(store.bytes(), 0U);
}

}  // namespace
}  // namespace telescope::testing
