// The protocol of writes (docs/guard-protocol.md), driven through every order of a few threads that has at most so many
// preemptions: a key whose write has failed is answered as the store has it, whatever else goes on.
//
// TELESCOPE_PREEMPTIONS=3 tries orders that the suite has no time for.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <telescope/any_filter.hpp>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>

#include "support/directory.hpp"
#include "support/guards.hpp"
#include "support/schedules.hpp"

#ifdef TELESCOPE_CHECK_LOCKS

namespace telescope::testing {
namespace {

constexpr const char* kKey = "doubtful";

// Three threads have many more orders than two, and four have more than a sanitized build has time for.
unsigned preemptions(std::size_t threads) {
  const char* const asked = std::getenv("TELESCOPE_PREEMPTIONS");
  if (asked != nullptr) return static_cast<unsigned>(std::atoi(asked));
#ifdef TELESCOPE_SANITIZED
  if (threads > 3) return 0;
#endif
  return threads > 2 ? 1 : 2;
}

// What becomes of a write whose acknowledgement is lost.
struct Lost {
  bool erase;  // an insert otherwise
  bool done;
};
constexpr std::array<Lost, 4> kLosses = {{{false, true}, {false, false}, {true, true}, {true, false}}};

// A store between whose calls threads may change. Told so, it loses the acknowledgement of writes of kKey.
class PacedStore : public Borrowed<MemoryStore> {
  template <class Call>
  static auto paced(Call call) {
    Schedules::here();
    auto answer = call();
    Schedules::here();
    return answer;
  }

 public:
  PacedStore(MemoryStore& store, const std::optional<Lost>& lost) : Borrowed(store), lost_(&lost) {}

  Outcome<bool> get(const RecordKey& key, std::string& value) {
    return paced([&] { return Borrowed::get(key, value); });
  }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return paced([&] { return Borrowed::scan(first, last, sink); });
  }
  Outcome<void> write(std::span<const Write> writes) {
    return paced([&]() -> Outcome<void> {
      if (!*lost_ || writes.front().key != kKey) return Borrowed::write(writes);
      if ((*lost_)->done) (void)Borrowed::write(writes);
      return Failure{Error::store_failed, "the acknowledgement is lost"};
    });
  }

 private:
  const std::optional<Lost>* lost_;
};

// Two keys of the same quotient as kKey: a member, and a stranger who is its false positive.
struct Neighbours {
  std::string member, stranger;
  Neighbours() {
    const auto hash = [](const std::string& key) { return Xxh3(kSecret)(std::string_view(key)); };
    const auto quotient = [&](const std::string& key) { return hash(key).position >> 58; };
    for (int i = 0; member.empty() || quotient(member) != quotient(kKey); ++i) member = "near" + std::to_string(i);
    auto filter = *AnyFilter::create(FilterKind::taf, 8, {.slots = 64});
    (void)filter.insert(hash(member));
    for (int i = 0; stranger.empty() || !filter.contains(hash(stranger)); ++i) stranger = "far" + std::to_string(i);
  }
};

// A guard with a few members and one key that is, or will be, in doubt.
class World {
 public:
  explicit World(const Lost& how) : how_(how) {
    options_.snapshot = directory_ / "filter.tsnap";
    guard_.emplace(std::move(*Guard::create(PacedStore(truth_, lost_), {.secret = kSecret, .capacity = 60}, options_)));
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(guard_->insert("key" + std::to_string(i)).ok());
    EXPECT_TRUE(guard_->insert(neighbours().member).ok());
    if (how_.erase) (void)*guard_->insert(kKey, "old");
  }

  // The write that fails.
  void fail() {
    lost_ = how_;
    EXPECT_FALSE((how_.erase ? guard_->erase(kKey) : guard_->insert(kKey, "new")).ok());
    lost_.reset();
    failed_ = true;
  }
  void query() {
    const auto answer = guard_->contains(kKey);
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_EQ(*answer, holds());
  }
  // While the write is under way either answer is right; when it has failed, the store's alone.
  void query_meanwhile() {
    const bool failed = failed_;
    const auto answer = guard_->contains(kKey);
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_TRUE(!failed || *answer == holds());
  }
  // It makes the filter adapt, and so asks for the members of the quotient.
  void query_stranger() {
    const auto answer = guard_->contains(neighbours().stranger);
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_FALSE(*answer);
  }
  void query_batch() {
    const std::array<std::string_view, 3> keys = {"key1", kKey, "stranger"};
    std::array<std::uint8_t, 3> present{};
    ASSERT_TRUE(guard_->contains(keys, present).ok());
    EXPECT_EQ(present, (std::array<std::uint8_t, 3>{1, holds() ? std::uint8_t{1} : std::uint8_t{0}, 0}));
  }
  void query_what_each_shows() {
    bool shown = false;
    ASSERT_TRUE(guard_->each([&](const Entry& entry) { return !(shown |= entry.key == kKey); }).ok());
    if (shown) query();
  }
  void rebuild() { EXPECT_TRUE(guard_->rebuild().ok()); }
  void resize() { EXPECT_TRUE(guard_->resize(256).ok()); }
  void save() { EXPECT_TRUE(guard_->save().ok()); }
  void write_again() { EXPECT_TRUE((how_.erase ? guard_->erase(kKey) : guard_->insert(kKey, "new")).ok()); }
  void write_another() { EXPECT_TRUE(guard_->insert("another").ok()); }

  // When all threads have ended: the answer, the whole, and the same once more after reopening.
  void expect_sound() {
    query();
    const auto report = guard_->verify();
    ASSERT_TRUE(report.ok()) << report.error().what;
    EXPECT_TRUE(report->ok()) << report->problems.front();
    EXPECT_EQ(guard_->counters().doubts, 0u);
    guard_.reset();
    guard_.emplace(std::move(*Guard::open(PacedStore(truth_, lost_), options_)));
    query();
  }

 private:
  bool holds() {
    std::string value;
    return *truth_.get({Xxh3(kSecret)(std::string_view(kKey)).position, kKey}, value);
  }

  static const Neighbours& neighbours() {
    static const Neighbours made;
    return made;
  }

  Lost how_;
  bool failed_ = false;
  Directory directory_{memory_path()};
  MemoryStore truth_;
  std::optional<Lost> lost_;
  GuardOptions options_;
  std::optional<Guard> guard_;
};

using Act = void (World::*)();

// The acts happen at the same time, for each way in which a write fails: before them, or while they happen.
enum class Failing { before, meanwhile };
void expect_truth_while(std::initializer_list<Act> acts, Failing failing = Failing::before) {
  std::uint64_t orders = 0;
  for (const Lost& how : kLosses) {
    std::optional<World> world;
    const std::size_t threads = acts.size() + (failing == Failing::meanwhile ? 1 : 0);
    Schedules schedules(threads, preemptions(threads));
    orders += schedules.each(
        [&] {
          world.emplace(how);
          Schedules::Bodies bodies;
          if (failing == Failing::before) {
            world->fail();
          } else {
            bodies.push_back([&world] { world->fail(); });
          }
          for (const Act act : acts) bodies.push_back([&world, act] { ((*world).*act)(); });
          return bodies;
        },
        [&] { world->expect_sound(); });
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << (how.erase ? "erase" : "insert") << (how.done ? ", done" : ", not done");
      break;
    }
  }
  ::testing::Test::RecordProperty("orders", std::to_string(orders));
}

TEST(GuardSchedules, TwoQueries) { expect_truth_while({&World::query, &World::query}); }
TEST(GuardSchedules, AQueryAndABatch) { expect_truth_while({&World::query, &World::query_batch}); }
TEST(GuardSchedules, AQueryDuringRebuild) { expect_truth_while({&World::query, &World::rebuild}); }
TEST(GuardSchedules, ABatchDuringRebuild) { expect_truth_while({&World::query_batch, &World::rebuild}); }
TEST(GuardSchedules, WhatEachShowsDuringRebuild) {
  expect_truth_while({&World::query_what_each_shows, &World::rebuild});
}
TEST(GuardSchedules, AQueryDuringResize) { expect_truth_while({&World::query, &World::resize}); }
TEST(GuardSchedules, AQueryDuringSave) { expect_truth_while({&World::query, &World::save}); }
TEST(GuardSchedules, AQueryDuringAnotherWrite) { expect_truth_while({&World::query, &World::write_another}); }
TEST(GuardSchedules, TheSameWriteOnceMore) { expect_truth_while({&World::write_again, &World::rebuild}); }
TEST(GuardSchedules, AStrangerOfTheQuotientDuringRebuild) {
  expect_truth_while({&World::query_stranger, &World::rebuild});
}
TEST(GuardSchedules, AStrangerOfTheQuotientAndAQuery) { expect_truth_while({&World::query_stranger, &World::query}); }
TEST(GuardSchedules, AQueryWhileTheWriteFails) { expect_truth_while({&World::query_meanwhile}, Failing::meanwhile); }
TEST(GuardSchedules, AStrangerOfTheQuotientWhileTheWriteFails) {
  expect_truth_while({&World::query_stranger}, Failing::meanwhile);
}
TEST(GuardSchedules, ARebuildWhileTheWriteFails) { expect_truth_while({&World::rebuild}, Failing::meanwhile); }
TEST(GuardSchedules, AResizeWhileTheWriteFails) { expect_truth_while({&World::resize}, Failing::meanwhile); }
TEST(GuardSchedules, AQueryAndARebuildWhileTheWriteFails) {
  expect_truth_while({&World::query_meanwhile, &World::rebuild}, Failing::meanwhile);
}
TEST(GuardSchedules, TwoWritersAReaderAndARebuild) {
  expect_truth_while({&World::write_another, &World::query_meanwhile, &World::rebuild}, Failing::meanwhile);
}
TEST(GuardSchedules, AWriterASaverAndAReader) {
  expect_truth_while({&World::write_another, &World::save, &World::query_what_each_shows});
}

// A lock that comes earlier in the order must not be taken now.
TEST(LockOrderDeathTest, IsAsserted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  detail::RankedMutex<detail::LockRank::keys> key, another;
  detail::RankedMutex<detail::LockRank::pending_writes> pending;
  {
    const std::scoped_lock in_order(key, another);
    const std::lock_guard last(pending);
  }
  EXPECT_DEATH(
      {
        const std::lock_guard first(pending);
        const std::lock_guard then(key);
      },
      "locks_held");
}

}  // namespace
}  // namespace telescope::testing

#endif
