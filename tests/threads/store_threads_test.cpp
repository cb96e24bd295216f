#include "support/store_threads.hpp"

#include "telescope/any_store.hpp"
#include "telescope/memory_store.hpp"
#include "telescope/testing/faulty_store.hpp"

namespace telescope::testing {
namespace {

TEST(StoreThreads, Memory) {
  MemoryStore store;
  hammer(store, 2000);
}

TEST(StoreThreads, MemoryBehindATable) {
  AnyStore store{MemoryStore()};
  hammer(store, 1000);
}

TEST(StoreThreads, FaultsAreCountedByAllThreads) {
  MemoryStore truth;
  const auto faults = std::make_shared<Faults>(FaultPlan{.before = .1, .after = .1, .torn = .1, .mid_scan = .1});
  FaultyStore store(truth, faults);
  std::atomic<std::uint64_t> errors = 0;
  const auto work = [&](std::uint64_t self) {
    for (std::uint64_t i = 0; i < 5000; ++i) {
      errors += put(store, self, "a", std::to_string(i)).ok() ? 0 : 1;
      errors += store.scan(0, 9, [](const Record&) { return true; }).ok() ? 0 : 1;
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t self = 0; self < 3; ++self) threads.emplace_back(work, self);
  faults->turn_off();
  faults->turn_on();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(errors, faults->errors());
  EXPECT_GT(errors, 0U);
}

}  // namespace
}  // namespace telescope::testing
