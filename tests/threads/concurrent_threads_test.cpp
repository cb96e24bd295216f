// The laws, with readers and writers at once. Filters are small and regions few blocks, so that they meet often.
#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <thread>

#include "support/twin.hpp"
#include "telescope/concurrent.hpp"

namespace telescope::testing {
namespace {

template <class F>
ConcurrentFilter<F> make(std::uint64_t slots, std::uint64_t regions = 32) {
  return std::move(
      ConcurrentFilter<F>::create({.slots = slots}, Xxh3(Secret{{1, 2}}), {.most = regions, .least_blocks = 1})
          .value());
}

// A store for several threads: it follows the filter while the filter's regions are locked.
class SharedMembers {
 public:
  Status insert(const Hash& hash) {
    const std::lock_guard lock(mutex_);
    return members_.insert(hash);
  }
  Status erase(const Hash& hash) {
    const std::lock_guard lock(mutex_);
    return members_.erase(hash);
  }
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    const std::lock_guard lock(mutex_);
    return members_(range, sink);
  }

 private:
  mutable std::mutex mutex_;
  MemberMap members_;
};

// One filter and one store; each thread works through it on keys of its own and checks the answers on the way.
template <class F>
struct Guarded {
  ConcurrentFilter<F> filter;
  SharedMembers store;

  bool insert(std::uint64_t key) {
    const auto done = filter.insert(key, store, [&] { return store.insert(filter.hash_of(key)); });
    if (!done) {
      EXPECT_EQ(done.error(), Error::full) << message(done.error());
      return false;
    }
    EXPECT_TRUE(filter.contains(key)) << "an inserted member is not found";
    return true;
  }
  void erase(std::uint64_t key) {
    EXPECT_TRUE(filter.contains(key)) << "a member is lost";
    const auto done = filter.erase(key, store, [&] { return store.erase(filter.hash_of(key)); });
    EXPECT_TRUE(done.ok()) << message(done.error());
  }
  // A key that no thread inserts, or not any more.
  void query(std::uint64_t absent) {
    if (!filter.contains(absent)) return;
    const auto done = filter.adapt(absent, store);
    EXPECT_TRUE(done.ok()) << message(done.error());
  }
};

// Keys of one thread: nobody else draws them.
class Keys {
 public:
  explicit Keys(std::uint64_t thread) : thread_(thread), random_(thread) {}
  std::uint64_t next() { return random_() << 8 | thread_; }

 private:
  std::uint64_t thread_;
  std::mt19937_64 random_;
};

template <class F>
class Concurrent : public ::testing::Test {};
using Filters = ::testing::Types<Rsqf<8>, Taf<8>, Utaf<5>, Exaf<11>>;
TYPED_TEST_SUITE(Concurrent, Filters);

// The twin of the plain filters' tests, over every size of regions and up to the last slot.
TYPED_TEST(Concurrent, KeepsTheLawsAlone) {
  for (const std::uint64_t slots : {64u, 192u, 1280u}) {
    for (const std::uint64_t regions : {1u, 3u, 32u}) {
      Twin twin(make<TypeParam>(slots, regions));
      std::mt19937_64 random(slots + regions);
      twin.fill(1.0, random);
      EXPECT_FALSE(twin.insert(random()));
      for (unsigned op = 0; op < 300 * kEffort; ++op) {
        twin.query(random());
        if (!twin.keys.empty()) twin.erase(*twin.keys.begin());
        if (op % 3 != 0) twin.insert(random());
      }
      twin.sweep();
    }
  }
}

// Without a source, and so without a lock but the filter's own.
TYPED_TEST(Concurrent, WritersFillItToTheLastSlot) {
  for (unsigned round = 0; round < kEffort; ++round) {
    auto filter = make<TypeParam>(64 * 24);
    std::array<std::vector<std::uint64_t>, 4> inserted;
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < inserted.size(); ++t) {
        threads.emplace_back([&, t] {
          for (Keys keys(t + 4 * round);;) {
            const std::uint64_t key = keys.next();
            if (const auto done = filter.insert(key); !done) {
              EXPECT_EQ(done.error(), Error::full);
              return;
            }
            inserted[t].push_back(key);
            EXPECT_TRUE(filter.contains(key));
          }
        });
      }
    }
    std::size_t members = 0, lost = 0;
    for (const auto& keys : inserted) {
      members += keys.size();
      for (const std::uint64_t key : keys) lost += !filter.contains(key);
    }
    EXPECT_EQ(members, filter.slots());
    EXPECT_EQ(filter.size(), filter.slots());
    EXPECT_EQ(lost, 0u);
    ASSERT_FALSE(filter.check().has_value());
  }
}

// Some members stay while others come and go around them, and letters change. Near the last slot offsets are saturated.
TYPED_TEST(Concurrent, ReadersFindWhatStays) {
  for (const double load : {0.5, 0.9, 0.97, 0.995}) {
    Guarded<TypeParam> guarded{make<TypeParam>(64 * 40), {}};
    const auto target = static_cast<std::uint64_t>(load * static_cast<double>(guarded.filter.slots()));
    std::vector<std::uint64_t> staying;
    for (Keys keys(0); staying.size() < target - 64;) {
      staying.push_back(keys.next());
      ASSERT_TRUE(guarded.insert(staying.back()));
    }
    std::atomic<unsigned> writers = 2;
    std::atomic<std::size_t> lost = 0, lost_in_batch = 0;
    std::array<std::size_t, 2> left{};
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < left.size(); ++t) {
        threads.emplace_back([&, t] {
          Keys keys(t + 1);
          std::vector<std::uint64_t> own;
          for (unsigned op = 0; op < 500 * kEffort; ++op) {
            own.push_back(keys.next());
            if (!guarded.insert(own.back())) own.pop_back();
            guarded.query(keys.next() | 128);
            if (own.size() >= 32) {
              const std::uint64_t key = own[op % own.size()];
              std::erase(own, key);
              guarded.erase(key);
              guarded.query(key);
            }
          }
          for (const std::uint64_t key : own) lost += !guarded.filter.contains(key);
          left[t] = own.size();
          --writers;
        });
      }
      threads.emplace_back([&] {
        do {
          for (const std::uint64_t key : staying) lost += !guarded.filter.contains(key);
        } while (writers != 0);
      });
      threads.emplace_back([&] {
        std::vector<std::uint8_t> out(staying.size());
        do {
          guarded.filter.contains(staying, out);
          for (const std::uint8_t found : out) lost_in_batch += found != 1;
        } while (writers != 0);
      });
    }
    EXPECT_EQ(lost, 0u) << load;
    EXPECT_EQ(lost_in_batch, 0u) << load;
    EXPECT_EQ(guarded.filter.size(), staying.size() + left[0] + left[1]);
    const auto violation = guarded.filter.check();
    ASSERT_FALSE(violation.has_value()) << violation->what << " in block " << violation->block << " at " << load;
  }
}

// Whoever has read that n keys are in finds these n.
TYPED_TEST(Concurrent, ReadersSeeWhatWasPublished) {
  for (unsigned round = 0; round < kEffort; ++round) {
    auto filter = make<TypeParam>(64 * 16);
    std::vector<std::uint64_t> keys;
    for (Keys own(round); keys.size() < filter.slots();) keys.push_back(own.next());
    std::atomic<std::size_t> published = 0, lost = 0;
    {
      std::vector<std::jthread> threads;
      for (unsigned t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
          std::vector<std::uint8_t> out(keys.size());
          for (std::size_t n = 0; n < keys.size();) {
            n = published.load(std::memory_order_acquire);
            const std::span in = std::span(keys).first(n).last(std::min<std::size_t>(n, 100));
            if (t == 0) {
              filter.contains(in, out);
              for (std::size_t i = 0; i < in.size(); ++i) lost += out[i] != 1;
            } else {
              for (const std::uint64_t key : in) lost += !filter.contains(key);
            }
          }
        });
      }
      for (std::size_t n = 0; n < keys.size();) {
        const std::size_t some = std::min<std::size_t>(keys.size() - n, n % 5);
        if (some > 1) {
          const BatchInsertReport report = filter.insert(std::span(std::as_const(keys)).subspan(n, some));
          EXPECT_TRUE(report.status.ok());
          n += report.inserted;
        } else {
          EXPECT_TRUE(filter.insert(keys[n++]).ok());
        }
        published.store(n, std::memory_order_release);
      }
    }
    EXPECT_EQ(lost, 0u);
  }
}

// While a writer waits for its store, everybody reads, in the same block too, and writers elsewhere write.
TYPED_TEST(Concurrent, NobodyReadsLaterBecauseASourceIsSlow) {
  if constexpr (TypeParam::kAdapts) {
    Guarded<TypeParam> guarded{make<TypeParam>(64 * 64), {}};
    std::vector<std::uint64_t> members;
    for (Keys keys(0); guarded.filter.load() < 0.8;) {
      members.push_back(keys.next());
      ASSERT_TRUE(guarded.insert(members.back()));
    }
    Keys absent(1);
    std::uint64_t negative = absent.next();
    while (!guarded.filter.contains(negative)) negative = absent.next();

    std::latch asked(1), answer(1);
    const auto slow = [&](const QuotientRange& range, MemberSink sink) -> Status {
      asked.count_down();
      answer.wait();
      return guarded.store(range, sink);
    };
    std::jthread writer([&] { EXPECT_TRUE(guarded.filter.adapt(negative, slow).ok()); });
    asked.wait();
    std::size_t lost = 0;
    for (const std::uint64_t key : members) lost += !guarded.filter.contains(key);
    std::vector<std::uint8_t> out(members.size());
    guarded.filter.contains(members, out);
    lost += static_cast<std::size_t>(std::ranges::count(out, 0));
    EXPECT_EQ(lost, 0u);
    EXPECT_TRUE(guarded.filter.contains(negative));
    const std::uint64_t slots = guarded.filter.slots();
    const auto block = [&](std::uint64_t key) {
      return detail::bits::multiply_high(guarded.filter.hash_of(key).position, slots) / 64;
    };
    Keys others(2);
    std::uint64_t far = others.next();
    while ((block(far) + 64 - block(negative)) % 64 != 32) far = others.next();
    EXPECT_TRUE(guarded.insert(far));
    answer.count_down();
    writer.join();
    ASSERT_FALSE(guarded.filter.check().has_value());
  }
}

TYPED_TEST(Concurrent, AFailingSourceChangesNothing) {
  Guarded<TypeParam> guarded{make<TypeParam>(64 * 16), {}};
  std::vector<std::uint64_t> members;
  for (Keys keys(0); guarded.filter.load() < 0.9;) {
    members.push_back(keys.next());
    ASSERT_TRUE(guarded.insert(members.back()));
  }
  const auto bytes = [&] {
    return guarded.filter.with_locked([](const TypeParam& plain) {
      const auto raw = plain.frame().raw();
      return std::vector<std::byte>(raw.begin(), raw.end());
    });
  };
  const auto before = bytes();
  const auto failing = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
  std::atomic<std::size_t> lost = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 2; ++t) {
      threads.emplace_back([&, t] {
        Keys keys(t + 1);
        for (unsigned i = 0; i < 500 * kEffort; ++i) {
          const std::uint64_t key = members[i % members.size()];
          const auto never = []() -> Status {
            ADD_FAILURE() << "called before the source had answered";
            return {};
          };
          EXPECT_EQ(guarded.filter.erase(key, failing, never).error(), Error::source_failed);
          // The source answers, and then the store refuses to change.
          const auto refuse = []() -> Status { return Error::store_failed; };
          EXPECT_EQ(guarded.filter.erase(key, guarded.store, refuse).error(), Error::store_failed);
          EXPECT_EQ(guarded.filter.insert(keys.next(), guarded.store, refuse).error(), Error::store_failed);
          const std::uint64_t absent = keys.next();
          if (TypeParam::kAdapts && guarded.filter.contains(absent)) {
            EXPECT_EQ(guarded.filter.adapt(absent, failing).error(), Error::source_failed);
          }
          lost += !guarded.filter.contains(key);
        }
      });
    }
  }
  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(before, bytes());
}

TYPED_TEST(Concurrent, ComesFromAPlainFilterAndBecomesOneAgain) {
  std::vector<std::uint64_t> members;
  for (Keys keys(0); members.size() < 900;) members.push_back(keys.next());
  auto shared = ConcurrentFilter<TypeParam>::share(
      *TypeParam::build({.slots = 1024}, std::span<const std::uint64_t>(members), Xxh3(Secret{{1, 2}})));
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(shared->size(), members.size());
  const auto clone = shared->clone();
  ASSERT_TRUE(clone.ok());
  const TypeParam plain = std::move(*shared).unshare();
  for (const std::uint64_t key : members) EXPECT_TRUE(clone->contains(key) && plain.contains(key));
  EXPECT_FALSE(plain.check().has_value());
}

}  // namespace
}  // namespace telescope::testing
