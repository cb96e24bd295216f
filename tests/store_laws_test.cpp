// Stores that need nothing but memory, under the laws of the concept.
#include "support/store_laws.hpp"

#include "telescope/any_store.hpp"
#include "telescope/memory_store.hpp"

namespace telescope::testing {
namespace {

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

using Settings = ::testing::Types<InMemory, AnyInMemory>;
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreLaws, Settings);

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

}  // namespace
}  // namespace telescope::testing
