// kill -9 in the middle of a mixed load, at random instants. The child writes down what it is about to do, and what has
// been acknowledged; the set that is opened afterwards must hold all of that, and its filter must find every member.
//
// TELESCOPE_KILLS=200 kills more often than the suite has time for.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <telescope/guard.hpp>
#include <telescope/rocksdb_store.hpp>
#include <thread>

#include "support/directory.hpp"

namespace telescope::testing {
namespace {

// Every use of RocksDB in a process of its own: its threads do not survive a fork.
pid_t in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}

int exit_code_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Outcome<Guard> open_set(const Directory& directory, bool create) {
  auto store = RocksDbStore::open(directory.path() / "store", {.write_buffer_bytes = 1 << 20});
  if (!store) return std::move(store).error();
  GuardOptions options;
  options.snapshot = directory.path() / "filter.tsnap";
  if (create) return Guard::create(std::move(*store), {.width = 6, .capacity = 200}, options);
  return Guard::open(std::move(*store), options);
}

// What a log line says: key and value, an empty value for an erase. A line ends with '.' once it is acknowledged.
class Log {
 public:
  explicit Log(const std::filesystem::path& path) : file_(::open(path.c_str(), O_CREAT | O_APPEND | O_WRONLY, 0600)) {}
  ~Log() { ::close(file_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  void begin(const std::string& changes) { put(changes); }
  void acknowledge() { put(".\n"); }

 private:
  void put(const std::string& text) {
    if (::write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::_exit(9);
  }
  int file_;
};

// Runs until it is killed. Anything but that is a failure, told by the exit code.
int load(const Directory& directory, std::uint64_t seed) {
  auto guard = open_set(directory, false);
  if (!guard) return 3;
  Log log(directory.path() / "log");
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0;; ++i) {
    const auto key_of = [&] { return "key" + std::to_string(random() % 3000); };
    const std::string value = std::to_string(seed) + "-" + std::to_string(i);
    switch (random() % 16) {
      case 0: {
        if (i % 8 == 0 && !guard->save()) return 4;
        break;
      }
      case 1:
      case 2:
      case 3: {
        const std::string key = key_of();
        log.begin(key + " - ");
        if (!guard->erase(key)) return 5;
        log.acknowledge();
        break;
      }
      case 4: {
        std::vector<std::string> keys;
        std::vector<Entry> entries;
        std::string changes;
        for (int k = 0; k < 20; ++k) keys.push_back(key_of());
        for (const std::string& key : keys) {
          changes += key + " " + value + " ";
          entries.push_back({key, value});
        }
        log.begin(changes);
        if (!guard->insert(entries)) return 6;
        log.acknowledge();
        break;
      }
      case 5:
      case 6:
      case 7: {
        const std::string key = key_of();
        log.begin(key + " " + value + " ");
        if (!guard->insert(key, value)) return 7;
        log.acknowledge();
        break;
      }
      default: {
        const auto stranger = guard->contains("stranger" + std::to_string(random() % 20000));
        if (!stranger || *stranger) return 8;
      }
    }
  }
}

using Changes = std::map<std::string, std::string>;

// What was acknowledged, and the change under way when the process was killed, if there was one.
std::pair<Changes, Changes> read_log(const std::filesystem::path& path) {
  Changes acknowledged, open;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    // A process that was killed in the middle leaves its line to the next, which begins behind it.
    std::istringstream words(line);
    open.clear();
    for (std::string key, value; words >> key && key != ".";) {
      if (!(words >> value)) break;
      open[key] = value == "-" ? "" : value;
    }
    if (line.ends_with(".")) {
      for (const auto& [key, value] : open) acknowledged[key] = value;
      open.clear();
    }
  }
  return {acknowledged, open};
}

// 0 if the set holds what the log says, else what is wrong, on stderr.
int compare(const Directory& directory) {
  const auto [acknowledged, open] = read_log(directory.path() / "log");
  auto guard = open_set(directory, false);
  if (!guard) {
    std::cerr << guard.error().what << '\n';
    return 1;
  }
  int wrong = 0;
  for (const auto& [key, value] : acknowledged) {
    std::string found;
    const auto there = guard->get(key, found);
    if (!there) return 2;
    if (!*there) found.clear();
    const auto change = open.find(key);
    if (found == value || (change != open.end() && found == change->second)) continue;
    std::cerr << key << " is \"" << found << "\" and was acknowledged as \"" << value << "\"\n";
    ++wrong;
  }
  const auto report = guard->verify();
  if (!report) return 2;
  for (const std::string& problem : report->problems) std::cerr << problem << '\n';
  return wrong == 0 && report->ok() ? 0 : 3;
}

// So that the next process does not take an open change for its own.
void close_log(const std::filesystem::path& path, const Directory& directory) {
  const auto [acknowledged, open] = read_log(path);
  auto guard = open_set(directory, false);
  std::ofstream file(path, std::ios::app);
  file << '\n';
  for (const auto& [key, value] : open) {
    std::string found;
    if (guard && *guard->get(key, found)) {
      file << key << ' ' << found << " .\n";
    } else {
      file << key << " - .\n";
    }
  }
}

TEST(GuardCrash, KilledAtAnyInstantNothingIsLost) {
  const char* const asked = std::getenv("TELESCOPE_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 12;
  const Directory directory;
  ASSERT_EQ(exit_code_of(in_child([&] { return open_set(directory, true).ok() ? 0 : 1; })), 0);
  std::mt19937_64 random(std::random_device{}());
  for (int kill = 0; kill < kills; ++kill) {
    const std::uint64_t seed = random();
    const pid_t child = in_child([&] { return load(directory, seed); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 150'000));
    ::kill(child, SIGKILL);
    ASSERT_EQ(exit_code_of(child), -SIGKILL) << "the load failed";
    ASSERT_EQ(exit_code_of(in_child([&] { return compare(directory); })), 0) << "after kill " << kill;
    ASSERT_EQ(exit_code_of(in_child([&] {
                close_log(directory.path() / "log", directory);
                return 0;
              })),
              0);
  }
}

}  // namespace
}  // namespace telescope::testing
