// A guard over RocksDB on a disk that fails: one system call, or all from one on, returns an error. The process never
// ends by itself, and every answer, before and after the set is opened again, is explained by the writes that were
// acknowledged. Some processes are killed as well.
//
// TELESCOPE_DISK_FAULTS=3000 has every case, for which the suite has no time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <telescope/guard.hpp>
#include <telescope/rocksdb_store.hpp>

#include "support/directory.hpp"
#include "support/failing_calls.hpp"

namespace telescope::testing {
namespace {

constexpr int kOperations = 120;
constexpr std::size_t kValueBytes = 3000;  // so that the memory table is flushed now and then
constexpr std::array<int, 5> kErrors = {EIO, ENOSPC, EROFS, EDQUOT, EACCES};

struct Trial {
  FailingCall call{};
  bool sync = false;
  bool kill = false;
  bool while_opening = false;
  int kill_after = -1;  // so many operations, without a fault
  std::uint64_t seed = 0;
};

std::ostream& operator<<(std::ostream& out, const Trial& trial) {
  return out << "call " << trial.call.after << (trial.call.lasts ? " and later" : "") << " fails with "
             << std::strerror(trial.call.error) << (trial.call.halfway ? ", half done" : "")
             << (trial.sync ? ", sync" : "") << (trial.kill ? ", killed" : "")
             << (trial.while_opening ? ", from the opening on" : "") << ", seed " << trial.seed;
}

// RocksDB's threads do not survive a fork, so each use of it is in a process of its own.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Outcome<Guard> open_set(const Directory& directory, bool sync, bool create = false) {
  auto store = RocksDbStore::open(directory / "set/store", {.sync = sync, .write_buffer_bytes = 1 << 16});
  if (!store) return std::move(store).error();
  GuardOptions options;
  options.snapshot = directory / "set/filter.tsnap";
  if (create) return Guard::create(std::move(*store), {.width = 5, .capacity = 100}, options);
  return Guard::open(std::move(*store), options);
}

// The values that each key may have, as far as the acknowledged writes and the answers tell. "-" is none.
class Knowledge {
 public:
  void may_write(const std::string& key, const std::string& value) { possible_of(key).insert(value); }
  void wrote(const std::string& key, const std::string& value) { possible_[key] = {value}; }
  // Returns whether the answer is one of them. From then on it is the only one.
  bool hear(const std::string& key, const std::string& value) {
    if (!possible_of(key).contains(value)) return false;
    possible_[key] = {value};
    return true;
  }
  const std::map<std::string, std::set<std::string>>& possible() const { return possible_; }

 private:
  std::set<std::string>& possible_of(const std::string& key) {
    return possible_.try_emplace(key, std::set<std::string>{"-"}).first->second;
  }
  std::map<std::string, std::set<std::string>> possible_;
};

// What the process did, for those that come after it: "? key value" before a write, "+ key value" when it was
// acknowledged, "= key value" for an answer.
class Journal {
 public:
  explicit Journal(const Directory& directory) : path_(directory / "journal") {}
  void note(char what, const std::string& key, const std::string& value) {
    std::ofstream(path_, std::ios::app) << what << ' ' << key << ' ' << value << '\n';
  }
  // Replays it; returns false at an answer that nothing explains.
  bool replay(Knowledge& known) const {
    std::ifstream file(path_);
    std::string what, key, value;
    while (file >> what >> key >> value) {
      if (what == "?") known.may_write(key, value);
      if (what == "+") known.wrote(key, value);
      if (what == "=" && !known.hear(key, value)) {
        std::cerr << key << " is " << value << ", which no write explains\n";
        return false;
      }
    }
    return true;
  }

 private:
  std::filesystem::path path_;
};

std::string read(Guard& guard, const std::string& key, Outcome<bool>& there) {
  std::string value;
  there = guard.get(key, value);
  return there && *there ? value.substr(0, value.find(' ')) : "-";
}

enum Exit { fine = 0, failed_without_a_fault = 40, wrong_answer, not_opened, not_sound };

// A mixed load. After an error the set is opened again now and then.
int load(const Directory& directory, const Trial& trial) {
  Journal journal(directory);
  std::mt19937_64 random(trial.seed);
  watch_calls_below((directory / "set").string());
  if (trial.while_opening) fail_call(trial.call);
  auto guard = open_set(directory, trial.sync);
  if (!trial.while_opening && trial.kill_after < 0) fail_call(trial.call);
  int left = trial.kill ? static_cast<int>(random() % 20) : kOperations;  // after the first error
  for (int i = 0; i < kOperations; ++i) {
    if ((call_failed() && left-- == 0) || i == trial.kill_after) ::kill(::getpid(), SIGKILL);
    if (!guard || (call_failed() && random() % 8 == 0)) {
      if (guard) {
        auto closing = std::move(*guard);  // RocksDB locks its directory
      }
      guard = open_set(directory, trial.sync);
      if (!guard && !call_failed()) return failed_without_a_fault;
      continue;
    }
    const std::string key = "key" + std::to_string(random() % 40);
    const std::string value = std::to_string(trial.seed) + "." + std::to_string(i);
    bool failed = false;
    switch (random() % 12) {
      case 0: failed = !guard->save(); break;
      case 1: {
        journal.note('?', key, "-");
        const auto erased = guard->erase(key);
        if (erased) journal.note('+', key, "-");
        failed = !erased;
        break;
      }
      case 2: failed = random() % 4 == 0 && !guard->rebuild(); break;
      case 3:
      case 4:
      case 5:
      case 6: {
        journal.note('?', key, value);
        const auto inserted = guard->insert(key, value + std::string(kValueBytes, ' '));
        if (inserted) journal.note('+', key, value);
        failed = !inserted;
        break;
      }
      case 7: {
        const auto absent = guard->contains("stranger" + std::to_string(random() % 1000));
        failed = !absent;
        if (absent && *absent) return wrong_answer;
        break;
      }
      default: {
        Outcome<bool> there = false;
        const std::string found = read(*guard, key, there);
        if (there) journal.note('=', key, found);
        failed = !there;
      }
    }
    if (failed && !call_failed()) return failed_without_a_fault;
  }
  Knowledge known;
  return journal.replay(known) ? fine : wrong_answer;
}

// The disk is well again.
int check(const Directory& directory) {
  Knowledge known;
  if (!Journal(directory).replay(known)) return wrong_answer;
  auto guard = open_set(directory, false);
  if (!guard) {
    std::cerr << guard.error().what << '\n';
    return not_opened;
  }
  for (const auto& [key, values] : known.possible()) {
    Outcome<bool> there = false;
    const std::string found = read(*guard, key, there);
    if (there && values.contains(found)) continue;
    std::cerr << key << " is " << found << ", may be";
    for (const std::string& value : values) std::cerr << ' ' << value;
    std::cerr << '\n';
    return wrong_answer;
  }
  const auto report = guard->verify();
  return report && report->ok() ? fine : not_sound;
}

class RocksDbDisk : public ::testing::Test {
 protected:
  void expect_right(const Trial& trial) {
    const Directory directory(memory_path());
    std::filesystem::create_directory(directory / "set");
    ASSERT_EQ(in_child([&] { return open_set(directory, trial.sync, true) ? 0 : 1; }), 0);
    const int loaded = in_child([&] { return load(directory, trial); });
    EXPECT_TRUE(loaded == fine || (trial.kill && loaded == -SIGKILL)) << loaded << ": " << trial;
    EXPECT_EQ(in_child([&] { return check(directory); }), fine) << trial;
    ++trials_;
  }

  int trials_ = 0;
};

TEST_F(RocksDbDisk, ACallThatFailsNeverEndsTheProcessNorMakesAnAnswerWrong) {
  // Every call up to the 300th, each with every error, in processes that are killed and in others, in an order in which
  // any beginning is a fair sample.
  constexpr int kCalls = 300, kCases = kCalls * static_cast<int>(kErrors.size()) * 2, kStride = 1013;
  static_assert(std::gcd(kCases, kStride) == 1);
  const char* const asked = std::getenv("TELESCOPE_DISK_FAULTS");
  const int trials = asked != nullptr ? std::atoi(asked) : 75;
  for (int i = 0; i < trials; ++i) {
    const auto which = static_cast<std::size_t>(i % kCases * kStride % kCases);
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    Trial trial{.sync = random() % 2 != 0, .kill = which / kCalls % 2 != 0, .while_opening = random() % 4 == 0};
    trial.call = {.after = static_cast<long>(which % kCalls),
                  .lasts = random() % 2 != 0,
                  .error = kErrors[which / kCalls / 2],
                  .halfway = random() % 2 != 0};
    trial.seed = random();
    expect_right(trial);
  }
  RecordProperty("trials", std::to_string(trials_));
}

// Power fails: the process is gone, and so is all that it has written since the last sync of each file. With `sync`,
// what was acknowledged is there all the same.
TEST_F(RocksDbDisk, WhatWasAcknowledgedSurvivesAPowerFailure) {
  for (int operations = 0; operations < kOperations; operations += 6) {
    const Directory directory(memory_path());
    std::filesystem::create_directory(directory / "set");
    const std::string set = (directory / "set").string(), notes = (directory / "notes").string();
    Trial trial{.sync = true, .kill = true};
    trial.kill_after = operations;
    trial.seed = static_cast<std::uint64_t>(operations);
    const auto begin = [&] {
      watch_calls_below(set);
      note_syncs(notes);
    };
    ASSERT_EQ(in_child([&] {
                begin();
                return open_set(directory, true, true) ? 0 : 1;
              }),
              0);
    EXPECT_EQ(in_child([&] {
                begin();
                return load(directory, trial);
              }),
              -SIGKILL);
    drop_unsynced(set, notes);
    EXPECT_EQ(in_child([&] { return check(directory); }), fine) << operations;
  }
}

// What the log has taken and the disk has not is found by no read, and by the next opening.
TEST_F(RocksDbDisk, AWriteWhoseSyncWasRefusedIsInDoubtUntilTheSetIsOpenedAgain) {
  const Directory directory(memory_path());
  std::filesystem::create_directory(directory / "set");
  const int told = in_child([&] {
    watch_calls_below((directory / "set").string());
    auto guard = open_set(directory, true, true);
    if (!guard || !guard->insert("member")) return 1;
    fail_call({.error = EIO, .syncs = true});
    if (guard->insert("doubtful") || !call_failed()) return 2;
    const auto member = guard->contains("member");
    if (!member || !*member) return 3;
    const auto doubtful = guard->contains("doubtful");
    if (doubtful || doubtful.error().code != Error::store_failed) return 4;
    if (guard->counters().doubts != 1) return 5;
    return guard->insert("another") || guard->rebuild() || guard->save() ? 6 : 0;
  });
  EXPECT_EQ(told, 0);
  EXPECT_EQ(in_child([&] {
              auto guard = open_set(directory, true);
              if (!guard) return 1;
              const auto doubtful = guard->contains("doubtful");
              const auto report = guard->verify();
              return doubtful && *doubtful && report && report->ok() ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace telescope::testing
