// A process that writes is killed at some instant; the next one finds all that had returned. The processes are this
// program again, by exec: a fork of one that has threads would hang.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>

#include "support/child.hpp"
#include "support/snapshot_bytes.hpp"
#include "support/store_records.hpp"
#include "telescope/rocksdb_store.hpp"

namespace telescope::testing {
namespace {

RocksDbOptions small() {
  RocksDbOptions options;
  options.write_buffer_bytes = 1 << 16;  // flushes and compactions are met too
  return options;
}

constexpr std::uint64_t kRecords = 5;  // in a batch
std::uint64_t position_of(std::uint64_t batch, std::uint64_t i) { return (batch * kRecords + i) * 0x9e3779b97f4a7c15; }

// Batch n: five records, in one write or one ingest; their values say n.
Outcome<void> add_batch(RocksDbStore& store, std::uint64_t batch) {
  const std::string value = std::to_string(batch) + std::string(100, ' ');
  std::vector<OwnRecord> records;
  for (std::uint64_t i = 0; i < kRecords; ++i) records.push_back({position_of(batch, i), std::to_string(batch), value});
  if (batch % 32 == 31) {
    std::sort(records.begin(), records.end(), [](auto& a, auto& b) { return a.position < b.position; });
    return ingest(store, records);
  }
  std::vector<Write> writes;
  for (const auto& record : records) writes.push_back({record.position, record.key, record.value});
  return store.write(writes);
}

// A number of records and the version that belongs to it.
struct Acknowledged {
  std::uint64_t batches = 0;
  std::uint64_t version = 0;
};

// Tells of each batch when it has returned. Ends when it is killed.
int write_until_killed(const char* directory) {
  auto store = RocksDbStore::open(directory, small());
  if (!store.ok()) return 1;
  std::uint64_t batches = 0;
  if (!store->scan(0, kLastPosition, [&](const Record&) { return ++batches > 0; }).ok()) return 2;
  for (batches /= kRecords;;) {
    if (!add_batch(*store, batches).ok()) return 3;
    ++batches;
    if (batches % 64 == 0 && !put_meta(*store, "batches", std::to_string(batches)).ok()) return 4;
    const Acknowledged told{batches, store->version()};
    if (::write(STDOUT_FILENO, &told, sizeof told) != sizeof told) return 5;
  }
}

int hold(const char* directory) {
  auto store = RocksDbStore::open(directory, small());
  const Acknowledged told{};
  if (!store.ok() || ::write(STDOUT_FILENO, &told, sizeof told) != sizeof told) return 1;
  for (;;) ::pause();
}

const bool roles_known =
    child_roles().emplace("hold", hold).second && child_roles().emplace("write", write_until_killed).second;

class Child {
 public:
  Child(const char* what, const std::filesystem::path& directory) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execl("/proc/self/exe", "child", what, directory.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    kill();
    ::close(from_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool read(Acknowledged& into) { return ::read(from_, &into, sizeof into) == sizeof into; }
  // Its exit status; of a signal, minus its number.
  int kill() {
    if (pid_ == 0) return status_;
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return status_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = 0;
  int from_ = -1;
  int status_ = 0;
};

TEST(RocksDbKill, AnotherProcessIsInUse) {
  Directory directory;
  Child child("hold", directory / "store");
  Acknowledged told;
  ASSERT_TRUE(child.read(told));
  const auto refused = RocksDbStore::open(directory / "store");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Error::in_use) << refused.error().what;
  EXPECT_NE(refused.error().what.find((directory / "store").string()), std::string::npos);
  child.kill();
  EXPECT_TRUE(RocksDbStore::open(directory / "store").ok());
}

// All batches below `batches` are there, whole, and nothing else but perhaps the next, whole as well.
void expect_prefix(RocksDbStore& store, const Acknowledged& told) {
  std::map<std::uint64_t, std::uint64_t> records;  // of a batch
  const auto scanned = store.scan(0, kLastPosition, [&](const Record& record) {
    ++records[std::stoull(std::string(record.key))];
    EXPECT_EQ(std::string(record.value.substr(0, record.key.size())), std::string(record.key));
    return true;
  });
  ASSERT_TRUE(scanned.ok());
  ASSERT_TRUE(records.size() == told.batches || records.size() == told.batches + 1)
      << records.size() << " batches after " << told.batches;
  for (std::uint64_t batch = 0; batch < records.size(); ++batch) ASSERT_EQ(records[batch], kRecords) << batch;
  // The version is that of the contents: it has not gone back, nor on without them.
  if (records.size() == told.batches && told.batches % 64 != 63) {
    EXPECT_EQ(store.version(), told.version);
  } else {
    EXPECT_GE(store.version(), told.version);
  }
  std::string value;
  ASSERT_TRUE(store.get_meta("batches", value).ok());
  if (told.batches >= 64) {
    EXPECT_GE(std::stoull(value), told.batches / 64 * 64);
  }
}

TEST(RocksDbKill, WhatHadReturnedIsThere) {
#ifdef TELESCOPE_SANITIZED
  constexpr int kRounds = 5;
#else
  constexpr int kRounds = 12;
#endif
  Directory directory;
  std::mt19937_64 random(std::random_device{}());
  Acknowledged told;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t start = told.batches;
    Child child("write", directory / "store");
    for (const std::uint64_t until = told.batches + 1 + random() % 300; told.batches < until;) {
      ASSERT_TRUE(child.read(told)) << "exit status " << child.kill();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));  // somewhere within an operation
    ASSERT_EQ(child.kill(), -SIGKILL);
    for (Acknowledged more; child.read(more);) told = more;
    ASSERT_GT(told.batches, start);

    auto store = RocksDbStore::open(directory / "store", small());
    ASSERT_TRUE(store.ok()) << store.error().what;
    expect_prefix(*store, told);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace telescope::testing
