// A store under threads: reads see every write that has returned, whoever wrote it, and scans stay in order.
#pragma once

#include <array>
#include <atomic>
#include <thread>

#include "support/store_records.hpp"

namespace telescope::testing {

template <Store S>
void hammer(S& store, std::uint64_t rounds) {
  constexpr std::size_t kWriters = 2;
  constexpr std::uint64_t kPositions = 20;
  std::array<std::atomic<std::uint64_t>, kWriters> returned{};
  std::atomic<std::size_t> running = kWriters;

  const auto writer = [&](std::size_t self) {
    const std::string key(1, static_cast<char>('a' + self));
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const std::string value = std::to_string(round);
      std::vector<Write> writes;
      for (std::uint64_t position = 0; position < kPositions; ++position) writes.push_back({position, key, value});
      writes.push_back({kPositions + round % kPositions, key, round % 3 == 0 ? std::nullopt : writes[0].value});
      EXPECT_TRUE(store.write(writes).ok());
      if (round % 16 == 0) {
        EXPECT_TRUE(put_meta(store, key, value).ok());
      }
      returned[self] = round;
    }
    --running;
  };
  const auto reader = [&](std::uint64_t seed) {
    for (std::uint64_t i = seed; running > 0; ++i) {
      const std::size_t whose = i % kWriters;
      const std::string key(1, static_cast<char>('a' + whose));
      std::uint64_t at_least = returned[whose];
      if (at_least > 0) {
        EXPECT_GE(std::stoull(value_in(store, i % kPositions, key).value_or("0")), at_least);
      }
      at_least = returned[whose];
      std::size_t seen = 0;
      std::pair<std::uint64_t, std::string> before{0, ""};
      const auto scanned = store.scan(0, kPositions - 1, [&](const Record& record) {
        std::pair<std::uint64_t, std::string> here{record.position, record.key};
        EXPECT_LT(before, here);
        before = std::move(here);
        if (record.key != key) return true;
        ++seen;
        EXPECT_GE(std::stoull(std::string(record.value)), at_least);
        return true;
      });
      EXPECT_TRUE(scanned.ok());
      if (at_least > 0) {
        EXPECT_EQ(seen, kPositions);
      }
      std::string value;
      EXPECT_TRUE(store.get_meta(key, value).ok());
    }
  };

  std::vector<std::thread> threads;
  for (std::size_t self = 0; self < kWriters; ++self) threads.emplace_back(writer, self);
  for (std::uint64_t seed = 0; seed < 2; ++seed) threads.emplace_back(reader, seed);
  for (auto& thread : threads) thread.join();
}

}  // namespace telescope::testing
