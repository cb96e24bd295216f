// Attacks on a guard that once succeeded, each as a test: a wrong "absent", or a process that ended. Those that need
// two threads are in guard_schedules_test and guard_threads_test, those that need a disk in rocksdb_disk_test.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory_resource>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <telescope/callable_store.hpp>
#include <telescope/guard.hpp>
#include <telescope/memory_store.hpp>

#include "support/failing_allocations.hpp"
#include "support/guards.hpp"

namespace telescope::testing {
namespace {

TEST(GuardAttacks, ALostAcknowledgementIsNotForgottenByARebuildWithoutMemory) {
  for (long enough = 0;; ++enough) {
    MemoryStore store;
    bool lossy = false;
    Guard guard = std::move(*Guard::create(LossyStore(store, lossy), {.secret = kSecret, .capacity = 100}));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(guard.insert("member" + std::to_string(i)).ok());
    lossy = true;
    ASSERT_FALSE(guard.insert("doubtful").ok());
    lossy = false;
    const auto rebuilt = [&] {
      const FailingAllocation one(enough);
      return guard.rebuild();
    }();
    EXPECT_EQ(guard.counters().doubts, rebuilt.ok() ? 0u : 1u) << enough;
    ASSERT_TRUE(*guard.contains("doubtful")) << "allocation " << enough;
    if (!FailingAllocation::happened()) break;
  }
}

// What a store whose log has failed says, before it is opened again and after: a write whose sync was refused is in the
// log, but not among what get finds.
struct LoggingStore : Borrowed<MemoryStore> {
  struct Log {
    bool fails = false, whole = true;
    std::vector<std::string> kept;
  };
  LoggingStore(MemoryStore& store, Log& log) : Borrowed(store), log_(&log) {}
  Outcome<void> write(std::span<const Write> writes) {
    if (!log_->fails && log_->whole) return Borrowed::write(writes);
    for (const Write& write : writes) log_->kept.emplace_back(write.key);
    log_->whole = false;
    return Failure{Error::io_failed, "cannot sync"};
  }
  bool settled() const { return log_->whole; }

 private:
  Log* log_;
};

TEST(GuardAttacks, AWriteWhoseSyncWasRefusedIsInDoubtUntilTheSetIsOpenedAgain) {
  MemoryStore store;
  LoggingStore::Log log;
  {
    Guard guard = std::move(*Guard::create(LoggingStore(store, log), {.secret = kSecret, .capacity = 100}));
    ASSERT_TRUE(guard.insert("member").ok());
    log.fails = true;
    ASSERT_FALSE(guard.insert("doubtful").ok());
    log.fails = false;
    const auto expect_error = [](const auto& outcome) {
      ASSERT_FALSE(outcome.ok());
      EXPECT_EQ(outcome.error().code, Error::store_failed);
      EXPECT_NE(outcome.error().what.find("open the set again"), std::string::npos) << outcome.error().what;
    };
    std::string value;
    std::array<std::uint8_t, 1> present{};
    const std::array<std::string_view, 1> key = {"doubtful"};
    expect_error(guard.contains("doubtful"));
    expect_error(guard.get("doubtful", value));
    expect_error(guard.contains(key, present));
    expect_error(guard.insert("doubtful"));
    expect_error(guard.erase("doubtful"));
    expect_error(guard.insert("another"));
    expect_error(guard.rebuild());
    expect_error(guard.verify());
    expect_error(guard.each([](const Entry&) { return true; }));
    EXPECT_EQ(guard.counters().doubts, 1u);
    EXPECT_TRUE(*guard.contains("member"));
    EXPECT_FALSE(*guard.contains("stranger"));
  }
  for (const std::string& key : log.kept) {
    const Write write{Xxh3(kSecret)(std::string_view(key)).position, key, ""};
    ASSERT_TRUE(store.write({&write, 1}).ok());
  }
  log.whole = true;
  Guard guard = std::move(*Guard::open(LoggingStore(store, log)));
  EXPECT_TRUE(*guard.contains("doubtful"));
  EXPECT_TRUE(*guard.insert("another"));
}

// The callable of this name throws.
struct Thrower {
  std::string name;
  std::function<void()> what;
  void operator()(std::string_view called) const {
    if (called == name) what();
  }
};

// A store of a user's own, and the same by callables.
class ThrowingStore {
 public:
  ThrowingStore(MemoryStore& store, const Thrower& thrower) : store_(&store), thrower_(&thrower) {}
  Outcome<bool> get(const RecordKey& key, std::string& value) { return (*thrower_)("get"), store_->get(key, value); }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return (*thrower_)("scan"), store_->scan(first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) { return (*thrower_)("write"), store_->write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) {
    return (*thrower_)("get_meta"), store_->get_meta(name, value);
  }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) {
    return (*thrower_)("put_meta"), store_->put_meta(writes);
  }
  std::uint64_t version() { return (*thrower_)("version"), store_->version(); }
  std::uint64_t bytes() { return (*thrower_)("bytes"), store_->bytes(); }
  bool settled() { return (*thrower_)("settled"), true; }

 private:
  MemoryStore* store_;
  const Thrower* thrower_;
};

AnyStore throwing_store(MemoryStore& store, const Thrower& thrower, bool by_callables) {
  if (!by_callables) return ThrowingStore(store, thrower);
  StoreCalls calls;
  ThrowingStore throwing(store, thrower);
  calls.get = [=](const RecordKey& key, std::string& value) mutable { return throwing.get(key, value); };
  calls.scan = [=](std::uint64_t first, std::uint64_t last, RecordSink sink) mutable {
    return throwing.scan(first, last, sink);
  };
  calls.write = [=](std::span<const Write> writes) mutable { return throwing.write(writes); };
  calls.get_meta = [=](std::string_view name, std::string& value) mutable { return throwing.get_meta(name, value); };
  calls.put_meta = [=](std::span<const MetaWrite> writes) mutable { return throwing.put_meta(writes); };
  calls.version = [=]() mutable { return throwing.version(); };
  calls.bytes = [=]() mutable { return throwing.bytes(); };
  calls.settled = [=]() mutable { return throwing.settled(); };
  return CallableStore(std::move(calls));
}

void expect_errors_where_it_throws(bool by_callables) {
  const std::array<std::pair<std::function<void()>, Error>, 3> exceptions = {
      {{[] { throw std::runtime_error("thrown"); }, Error::store_failed},
       {[] { throw 42; }, Error::store_failed},
       {[] { throw std::bad_alloc(); }, Error::no_memory}}};
  for (const auto& [thrown, code] : exceptions) {
    for (const char* const name : {"get", "scan", "write", "get_meta", "put_meta", "version", "bytes", "settled"}) {
      MemoryStore store;
      Thrower thrower;
      Guard guard =
          std::move(*Guard::create(throwing_store(store, thrower, by_callables), {.width = 4, .secret = kSecret}));
      for (int i = 0; i < 300; ++i) ASSERT_TRUE(guard.insert("member" + std::to_string(i)).ok());
      thrower = {name, thrown};
      int errors = 0;
      const auto expect_code = [&, code = code](const auto& outcome) {
        if (outcome) return;
        ++errors;
        EXPECT_EQ(outcome.error().code, code) << name << ": " << outcome.error().what;
        EXPECT_FALSE(outcome.error().what.empty()) << name;
      };
      expect_code(guard.contains("member1"));
      for (int i = 0; i < 100; ++i) expect_code(guard.contains("stranger" + std::to_string(i)));
      expect_code(guard.insert("new"));
      expect_code(guard.contains("new"));
      expect_code(guard.erase("member2"));
      expect_code(guard.erase("new"));
      expect_code(guard.each([](const Entry&) { return true; }));
      expect_code(guard.verify());
      expect_code(guard.rebuild());
      expect_code(guard.resize(512));
      (void)guard.info();
      (void)Guard::open(throwing_store(store, thrower, by_callables));
      const bool needed = name == std::string("get") || name == std::string("scan") || name == std::string("write");
      EXPECT_EQ(errors > 0, needed) << name;
      thrower = {};
      for (int i = 0; i < 300; ++i) {
        const std::string member = "member" + std::to_string(i);
        const bool there = *store.contains({Xxh3(kSecret)(std::string_view(member)).position, member});
        ASSERT_EQ(*guard.contains(member), there) << name;
      }
      const auto report = guard.verify();
      ASSERT_TRUE(report.ok()) << report.error().what;
      EXPECT_TRUE(report->ok()) << report->problems.front();
    }
  }
}

TEST(GuardAttacks, AStoreThatThrowsIsAnError) { expect_errors_where_it_throws(false); }
TEST(GuardAttacks, ACallableOfTheStoreThatThrowsIsAnError) { expect_errors_where_it_throws(true); }

// The user's other callables are those that are shown members and progress.
TEST(GuardAttacks, ASinkThatThrowsIsAnError) {
  MemoryStore store;
  bool throws = false;
  GuardOptions options;
  options.progress = [&](const RebuildProgress&) {
    if (throws) throw std::runtime_error("enough");
  };
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000}, options);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(guard.insert("member" + std::to_string(i)).ok());
  throws = true;
  EXPECT_EQ(guard.verify().error().code, Error::store_failed);
  EXPECT_EQ(guard.each([](const Entry&) -> bool { throw 42; }).error().code, Error::store_failed);
  throws = false;
  expect_sound(guard, 1000);
}

// A create that fails says which option is out of its range, and leaves nothing behind.
TEST(GuardAttacks, ACreateThatFailsLeavesNothingBehind) {
  const auto expect_failure = [](Error code, const char* says, const SetOptions& set, const GuardOptions& options) {
    MemoryStore store;
    const auto failed = Guard::create(Borrowed(store), set, options);
    ASSERT_FALSE(failed.ok()) << says;
    EXPECT_EQ(failed.error().code, code) << says;
    EXPECT_NE(failed.error().what.find(says), std::string::npos) << failed.error().what;
    EXPECT_EQ(store.version(), MemoryStore().version()) << says;
    EXPECT_TRUE(Guard::create(Borrowed(store), {}).ok()) << says;
  };
  expect_failure(Error::bad_argument, "remembered must be in [0, 2^28]", {}, {.remembered = std::uint64_t{1} << 62});
  expect_failure(Error::bad_argument, "max_load", {}, {.max_load = 2});
  expect_failure(Error::bad_argument, "growth", {}, {.growth = 1e300});
  expect_failure(Error::bad_argument, "adapts_per_second", {}, {.adapts_per_second = -1});
  expect_failure(Error::bad_argument, "adapt_burst", {}, {.adapt_burst = std::nan("")});
  expect_failure(Error::bad_argument, "width", {.width = 99}, {});
  expect_failure(Error::bad_argument, "capacity", {.capacity = std::uint64_t{1} << 50}, {});
  expect_failure(Error::no_memory, "memory", {}, {.memory = std::pmr::null_memory_resource()});
}

}  // namespace
}  // namespace telescope::testing
