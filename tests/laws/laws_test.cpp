// The laws, over every filter x width x hash x overflow policy.
#include "support/twin.hpp"

namespace telescope::testing {
namespace {

using Model = std::tuple<FilterKind, unsigned, HashKind, Overflow>;

class Laws : public ::testing::TestWithParam<Model> {
 protected:
  FilterKind kind() const { return std::get<0>(GetParam()); }
  unsigned width() const { return std::get<1>(GetParam()); }
  FilterOptions options(std::uint64_t slots) const { return {.slots = slots, .overflow = std::get<3>(GetParam())}; }

  // Runs body(twin) with the hash of the model.
  template <class Body>
  void with(std::uint64_t slots, Body body) {
    const auto run = [&]<class H>() {
      Twin twin(Keyed<H>::make(kind(), width(), options(slots)));
      body(twin);
    };
    switch (std::get<2>(GetParam())) {
      case HashKind::xxh3: return run.template operator()<Xxh3>();
      case HashKind::siphash: return run.template operator()<SipHash>();
    }
  }
};

// Keys from a small universe, so that inserts repeat, erases hit and queries meet members.
TEST_P(Laws, RandomInterleavings) {
  for (std::uint64_t slots : {64u, 192u, 1024u}) {
    with(slots, [&](auto& twin) {
      std::mt19937_64 random(slots * 31 + width());
      const std::uint64_t universe = 3 * slots;
      for (unsigned op = 0; op < 600 * kEffort; ++op) {
        const std::uint64_t key = random() % universe;
        switch (random() % 8) {
          case 0:
          case 1:
          case 2: twin.insert(key); break;
          case 3: twin.erase(key); break;
          default:
            for (int i = 0; i < 4; ++i) twin.query(random() % universe + (random() & 1) * (random() << 20));
        }
        if (op % 300 == 0) twin.sweep();
        if (HasFatalFailure()) return;
      }
      twin.sweep();
    });
  }
}

// A batch leaves the bytes that single inserts leave, up to the key that fails, and that key has moved no bit.
TEST_P(Laws, BatchInsertsAreSingleInserts) {
  with(640, [&](auto& single) {
    std::remove_reference_t<decltype(single)> batch(decltype(single.filter)::make(kind(), width(), options(640)));
    std::mt19937_64 random(width());
    for (int round = 0; round < 12 && single.filter.size() < single.filter.slots(); ++round) {
      std::vector<std::uint64_t> keys(random() % 130);
      std::vector<Hash> hashes;
      for (std::uint64_t& key : keys) hashes.push_back(single.filter.hash_of(key = random()));
      const BatchInsertReport report = batch.filter.filter.insert(hashes);
      std::size_t inserted = 0;
      while (inserted < keys.size() && single.filter.insert(keys[inserted]).ok()) ++inserted;
      ASSERT_EQ(report.inserted, inserted);
      ASSERT_EQ(report.status.ok(), inserted == keys.size());
      for (auto* twin : {&single, &batch}) {
        for (std::size_t i = 0; i < inserted; ++i) {
          twin->keys.insert(keys[i]);
          twin->store.insert(hashes[i]);
        }
      }
      for (unsigned i = 0; i < 400 * kEffort; ++i) {
        const std::uint64_t key = random();
        single.query(key);
        batch.query(key);
      }
      ASSERT_TRUE(std::ranges::equal(single.filter.filter.raw(), batch.filter.filter.raw()));
      batch.sweep();
    }
  });
}

TEST_P(Laws, FillsToTheLastSlotAndEmptiesAgain) {
  with(320, [&](auto& twin) {
    std::mt19937_64 random(7);
    twin.fill(1.0, random);
    const std::uint64_t size = twin.filter.size();
    ASSERT_EQ(size, twin.filter.slots());
    const std::vector<std::byte> before(twin.filter.filter.raw().begin(), twin.filter.filter.raw().end());
    EXPECT_FALSE(twin.insert(random()));  // full is an error and moves no bit
    EXPECT_TRUE(std::ranges::equal(before, twin.filter.filter.raw()));
    for (int i = 0; i < 2000; ++i) twin.query(random());
    twin.sweep();
    while (!twin.keys.empty()) {
      twin.erase(*twin.keys.begin());
      if (twin.keys.size() % 64 == 0) twin.sweep();
      if (HasFatalFailure()) return;
    }
    twin.sweep();
    for (std::byte b : twin.filter.filter.raw()) ASSERT_EQ(b, std::byte{0});  // an emptied filter is a fresh one
  });
}

TEST_P(Laws, BatchAnswersAsSingle) {
  with(1024, [&](auto& twin) {
    std::mt19937_64 random(3);
    twin.fill(0.95, random);
    for (int i = 0; i < 3000; ++i) twin.query(random());
    std::vector<std::uint64_t> keys(twin.keys.begin(), twin.keys.end());
    for (int i = 0; i < 2000; ++i) keys.push_back(random());
    for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{33}, keys.size()}) {
      std::vector<std::uint8_t> out(n, 7);
      twin.filter.contains(std::span(keys).first(n), out);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], twin.filter.contains(keys[i])) << i;
    }
  });
}

TEST_P(Laws, AFailingSourceMovesNoBit) {
  with(512, [&](auto& twin) {
    std::mt19937_64 random(5);
    twin.fill(0.9, random);
    for (int i = 0; i < 4000; ++i) twin.query(random());
    const auto raw = [&] {
      return std::vector<std::byte>(twin.filter.filter.raw().begin(), twin.filter.filter.raw().end());
    };
    const auto before = raw();
    twin.store.failing = true;
    EXPECT_EQ(twin.filter.erase(*twin.keys.begin(), twin.store).error(), Error::source_failed);
    for (int i = 0; i < 4000; ++i) {
      const std::uint64_t key = random();
      if (!twin.filter.contains(key) || kind() == FilterKind::rsqf) continue;
      const auto done = twin.filter.adapt(key, twin.store);
      ASSERT_FALSE(done.ok());
      EXPECT_EQ(done.error(), Error::source_failed);
    }
    EXPECT_EQ(before, raw());
    twin.store.failing = false;
    twin.sweep();
  });
}

TEST_P(Laws, AStoreThatDisagreesIsAnErrorAndMovesNoBit) {
  if (kind() == FilterKind::rsqf) return;  // never asks, but to erase
  with(512, [&](auto& twin) {
    std::mt19937_64 random(9);
    twin.fill(0.9, random);
    unsigned seen = 0;
    for (int i = 0; i < 200000 && seen < 3; ++i) {
      const std::uint64_t key = random();
      if (!twin.filter.contains(key)) continue;
      ++seen;
      const auto raw = [&] {
        return std::vector<std::byte>(twin.filter.filter.raw().begin(), twin.filter.filter.raw().end());
      };
      const auto before = raw();
      const auto empty = [](const QuotientRange&, MemberSink) -> Status { return {}; };
      EXPECT_EQ(twin.filter.adapt(key, empty).error(), Error::disagree);
      const auto strangers = [&](const QuotientRange& range, MemberSink sink) -> Status {
        return twin.store(range, [&](const Hash& hash) { sink({hash.position, ~hash.fingerprint}); });
      };
      EXPECT_EQ(twin.filter.adapt(key, strangers).error(), Error::disagree);
      EXPECT_EQ(before, raw());
    }
  });
}

std::string name(const ::testing::TestParamInfo<Model>& info) {
  const auto [kind, width, hash, overflow] = info.param;
  return std::string(to_string(kind)) + std::to_string(width) + "_" + std::string(to_string(hash)) +
         (overflow == Overflow::evict ? "_evict" : "_reset");
}

// Every width under one hash, and the other hash under one width.
INSTANTIATE_TEST_SUITE_P(Every, Laws,
                         ::testing::Combine(::testing::ValuesIn(kKinds), ::testing::ValuesIn(some_widths()),
                                            ::testing::Values(HashKind::xxh3),
                                            ::testing::Values(Overflow::evict, Overflow::reset)),
                         name);
INSTANTIATE_TEST_SUITE_P(SipHash, Laws,
                         ::testing::Combine(::testing::ValuesIn(kKinds), ::testing::Values(8u),
                                            ::testing::Values(HashKind::siphash),
                                            ::testing::Values(Overflow::evict, Overflow::reset)),
                         name);

}  // namespace
}  // namespace telescope::testing
