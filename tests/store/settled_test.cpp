// settled(): whether a write that failed may still come true. A store that does not say is settled.
#include <gtest/gtest.h>

#include "telescope/any_store.hpp"
#include "telescope/callable_store.hpp"
#include "telescope/memory_store.hpp"
#include "telescope/testing/faulty_store.hpp"

namespace telescope::testing {
namespace {

struct Unsettled : MemoryStore {
  bool settled() const { return log_is_whole; }
  bool log_is_whole = false;
};
static_assert(SettlingStore<Unsettled> && !SettlingStore<MemoryStore> && SettlingStore<AnyStore>);

TEST(Settled, AnyStoreAsksTheStoreThatCanSay) {
  EXPECT_FALSE(AnyStore(Unsettled{}).settled());
  Unsettled whole;
  whole.log_is_whole = true;
  EXPECT_TRUE(AnyStore(whole).settled());
  EXPECT_TRUE(AnyStore(MemoryStore()).settled());
}

TEST(Settled, CallablesAreAskedIfThereIsOne) {
  EXPECT_TRUE(CallableStore(StoreCalls{}).settled());
  StoreCalls calls;
  bool whole = false;
  calls.settled = [&] { return whole; };
  CallableStore store(std::move(calls));
  EXPECT_FALSE(store.settled());
  whole = true;
  EXPECT_TRUE(store.settled());
}

TEST(Settled, AFaultyStoreForwardsIt) {
  Unsettled store;
  FaultyStore faulty(store, std::make_shared<Faults>());
  EXPECT_FALSE(faulty.settled());
  store.log_is_whole = true;
  EXPECT_TRUE(faulty.settled());
  EXPECT_FALSE(AnyStore(FaultyStore(Unsettled{}, std::make_shared<Faults>())).settled());
}

}  // namespace
}  // namespace telescope::testing
