// A guard over a store that fails: each fault reaches the caller, each answer is that of the store, and when the store
// is well again, so is everything.
//
// TELESCOPE_FAULTS=1000000 injects more faults than the suite has time for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>
#include <telescope/testing/faulty_store.hpp>

#include "support/directory.hpp"

namespace telescope::testing {
namespace {

std::uint64_t faults_wanted() {
  const char* const asked = std::getenv("TELESCOPE_FAULTS");
  if (asked != nullptr) return std::strtoull(asked, nullptr, 10);
#ifdef TELESCOPE_SANITIZED
  return 5'000;
#else
  return 50'000;
#endif
}

constexpr Secret kSecret{{7, 8}};

class GuardFaults : public ::testing::Test {
 protected:
  void start(const FaultPlan& plan, const SetOptions& set) {
    faults_ = std::make_shared<Faults>(plan);
    faults_->turn_off();
    options_.snapshot = directory_.path() / "filter.tsnap";
    auto guard = Guard::create(FaultyStore(truth_, faults_), set, options_);
    ASSERT_TRUE(guard.ok()) << guard.error().what;
    guard_.emplace(std::move(*guard));
    faults_->turn_on();
  }

  // What the store holds, past all faults.
  bool holds(const std::string& key, std::string& value) {
    return *truth_.get({hash_(std::string_view(key)).position, key}, value);
  }

  // Runs an operation; an error if and only if a fault was injected. Whether it succeeded.
  template <class Operation>
  bool reported(const char* name, Operation operation) {
    const std::uint64_t before = faults_->errors();
    const auto done = operation();
    const std::uint64_t injected = faults_->errors() - before;
    if (done) {
      EXPECT_EQ(injected, 0u) << name << " swallowed a fault";
    } else {
      EXPECT_GT(injected, 0u) << name << " failed by itself: " << done.error().what;
      EXPECT_EQ(done.error().code, Error::store_failed) << done.error().what;
    }
    return done.ok();
  }

  std::string key() { return "key" + std::to_string(random_() % 4000); }
  std::string stranger() { return "stranger" + std::to_string(random_() % 20000); }

  void expect_answer(const std::string& key, bool found, const std::string& value) {
    std::string kept;
    ASSERT_EQ(found, holds(key, kept)) << "a wrong \"" << (found ? "present" : "absent") << "\" for " << key;
    EXPECT_EQ(value, found ? kept : "");
    ++answers_;
  }
  void query(const std::string& asked) {
    bool found = false;
    std::string value;
    const bool done = reported("get", [&] {
      auto got = guard_->get(asked, value);
      if (got) found = *got;
      return got;
    });
    if (done) expect_answer(asked, found, value);
  }
  void query_batch() {
    std::vector<std::string> keys, values(40);
    for (int i = 0; i < 20; ++i) keys.push_back(key());
    for (int i = 0; i < 20; ++i) keys.push_back(stranger());
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    std::vector<std::uint8_t> present(keys.size());
    if (!reported("batch get", [&] { return guard_->get(views, values, present); })) return;
    for (std::size_t i = 0; i < keys.size(); ++i) expect_answer(keys[i], present[i] != 0, values[i]);
  }
  void insert_batch() {
    std::vector<std::string> keys;
    std::vector<Entry> entries;
    for (int i = 0; i < 10; ++i) keys.push_back(key());
    for (const std::string& one : keys) entries.push_back({one, keys.front()});
    reported("batch insert", [&] { return guard_->insert(entries); });
    for (const std::string& one : keys) query(one);
  }
  void reopen() {
    guard_.reset();
    reported("open", [&] {
      auto guard = Guard::open(FaultyStore(truth_, faults_), options_);
      if (guard) guard_.emplace(std::move(*guard));
      return guard;
    });
    if (guard_) return;
    faults_->turn_off();
    guard_.emplace(std::move(*Guard::open(FaultyStore(truth_, faults_), options_)));
    faults_->turn_on();
  }

  void step() {
    const std::string one = key();
    switch (random_() % 64) {
      case 0: return random_() % 8 == 0 ? void(reported("save", [&] { return guard_->save(); })) : void();
      case 1: return random_() % 16 == 0 ? reopen() : void();
      case 2: return query_batch();
      case 3: return insert_batch();
      case 4: {
        const std::vector<std::string_view> two = {one, "nobody"};
        return void(reported("batch erase", [&] { return guard_->erase(two); }));
      }
      default: break;
    }
    switch (random_() % 8) {
      case 0:
      case 1: reported("insert", [&] { return guard_->insert(one, std::to_string(random_() % 100)); }); break;
      case 2: reported("erase", [&] { return guard_->erase(one); }); break;
      case 3: return query(stranger());
      default: break;
    }
    query(one);
  }

  void expect_well() {
    faults_->turn_off();
    const auto report = guard_->verify();
    ASSERT_TRUE(report.ok()) << report.error().what;
    EXPECT_TRUE(report->ok()) << report->problems.front();
    EXPECT_EQ(guard_->counters().doubts, 0u);
    for (int i = 0; i < 4000; ++i) query("key" + std::to_string(i));
  }

  Directory directory_;
  MemoryStore truth_;
  std::shared_ptr<Faults> faults_;
  GuardOptions options_;
  std::optional<Guard> guard_;
  Xxh3 hash_{kSecret};
  std::mt19937_64 random_{1};
  std::uint64_t answers_ = 0;
};

TEST_F(GuardFaults, EachIsReportedAndNoAnswerIsWrong) {
  start({.seed = 1, .before = .1, .after = .1, .torn = .1, .mid_scan = .1},
        {.width = 4, .secret = kSecret, .capacity = 60});
  const std::uint64_t wanted = faults_wanted();
  while (faults_->errors() < wanted && !HasFatalFailure()) step();
  RecordProperty("faults", std::to_string(faults_->errors()));
  RecordProperty("answers", std::to_string(answers_));
  EXPECT_GT(answers_, wanted / 4);
  for (const Fault fault : {Fault::before, Fault::after, Fault::torn, Fault::mid_scan}) {
    EXPECT_GT(faults_->injected(fault), wanted / 100);
  }
  expect_well();
}

// Faults are rare, so that the filter gets somewhere between two of them: growth and adapts fail in the middle.
TEST_F(GuardFaults, RareOnes) {
  start({.seed = 2, .before = .002, .after = .002, .torn = .01, .mid_scan = .02},
        {.width = 5, .secret = kSecret, .capacity = 60});
  const std::uint64_t wanted = faults_wanted() / 50;
  while (faults_->errors() < wanted && !HasFatalFailure()) step();
  EXPECT_GT(guard_->counters().adapts, 0u);
  expect_well();
}

// A store that is gone for a while: errors, no answers, and the filter as it was.
TEST_F(GuardFaults, AnOutage) {
  start({}, {.width = 4, .secret = kSecret, .capacity = 3000});
  for (int i = 0; i < 2500; ++i) ASSERT_TRUE(guard_->insert("key" + std::to_string(i)).ok());
  const auto letters = guard_->letters();
  const std::uint64_t members = guard_->info().members;
  faults_->crash();
  std::uint64_t errors = 0;
  for (int i = 0; i < 2500; ++i) {
    const auto there = guard_->contains("key" + std::to_string(i));
    ASSERT_FALSE(there.ok());  // a member: only the store can say
    const auto stranger = guard_->contains("stranger" + std::to_string(i));
    if (!stranger) ++errors;
    EXPECT_FALSE(guard_->erase("key" + std::to_string(i)).ok());
  }
  EXPECT_GT(errors, 50u);
  EXPECT_FALSE(guard_->insert("new").ok());
  EXPECT_FALSE(guard_->contains("new").ok());  // in doubt
  EXPECT_EQ(guard_->info().members, members);
  EXPECT_EQ(guard_->letters(), letters);
  faults_->revive();
  EXPECT_FALSE(*guard_->contains("new"));
  expect_well();
}

// However long it lasts, a write that cannot settle the doubts of those before adds none.
TEST_F(GuardFaults, ALongOutageLeavesFewDoubts) {
  start({}, {.width = 4, .secret = kSecret, .capacity = 3000});
  faults_->crash();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(guard_->insert("key" + std::to_string(i)).ok());
    EXPECT_FALSE(guard_->contains("key0").ok());
  }
  EXPECT_LE(guard_->counters().doubts, 2u);
  faults_->revive();
  expect_well();
}

// Doubts of both kinds, and how they are settled.
TEST_F(GuardFaults, DoubtsAskTheStoreUntilItSays) {
  start({.after = 1}, {.width = 8, .secret = kSecret, .capacity = 3000});
  faults_->turn_off();
  ASSERT_TRUE(guard_->insert("leaving", "v").ok());
  const auto failing_after = [&](auto operation) {
    faults_->turn_on();
    const auto done = operation();
    faults_->turn_off();
    EXPECT_FALSE(done.ok());
  };
  failing_after([&] { return guard_->insert("coming", "v"); });
  EXPECT_EQ(guard_->counters().doubts, 1u);
  EXPECT_TRUE(*guard_->contains("coming"));  // the store took it
  EXPECT_EQ(guard_->counters().doubts, 0u);
  EXPECT_TRUE(*guard_->contains("coming"));
  failing_after([&] { return guard_->save(); });
  ASSERT_TRUE(guard_->insert("another").ok());
  EXPECT_EQ(guard_->counters().doubts, 0u);
  expect_well();
}

}  // namespace
}  // namespace telescope::testing
