// Guards over a store that outlives them, for tests: made, opened again, and checked from the outside.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>
#include <utility>

#include "support/borrowed_store.hpp"

namespace telescope::testing {

// Every digit matters.
inline constexpr Secret kSecret{{0x9e3779b97f4a7c15, 0xf39cc0605cedc834}};

// A store that loses the acknowledgement of writes while it is told so.
struct LossyStore : Borrowed<MemoryStore> {
  LossyStore(MemoryStore& store, const bool& lossy) : Borrowed(store), lossy_(&lossy) {}
  Outcome<void> write(std::span<const Write> writes) {
    auto written = Borrowed::write(writes);
    if (*lossy_) return Failure{Error::store_failed, "the acknowledgement is lost"};
    return written;
  }

 private:
  const bool* lossy_;
};

inline Guard make_guard(MemoryStore& store, const SetOptions& set, const GuardOptions& options = {}) {
  auto guard = Guard::create(Borrowed(store), set, options);
  EXPECT_TRUE(guard.ok()) << guard.error().what;
  return std::move(*guard);
}

inline Guard reopen_guard(MemoryStore& store, const GuardOptions& options = {}) {
  auto guard = Guard::open(Borrowed(store), options);
  EXPECT_TRUE(guard.ok()) << guard.error().what;
  return std::move(*guard);
}

// So many keys that nobody inserts, each asked for once.
inline void ask_strangers(Guard& guard, int count) {
  for (int i = 0; i < count; ++i) ASSERT_FALSE(*guard.contains("stranger" + std::to_string(i)));
}

// Every invariant holds, and filter and store agree about so many members.
inline void expect_sound(Guard& guard, std::uint64_t members) {
  const auto report = guard.verify();
  ASSERT_TRUE(report.ok()) << report.error().what;
  EXPECT_TRUE(report->ok()) << report->problems.front();
  EXPECT_EQ(report->members, members);
  EXPECT_EQ(report->slots_used, members);
}

}  // namespace telescope::testing
