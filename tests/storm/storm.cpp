// A storm over a guard: threads write, read, save, rebuild and resize while the store fails, memory runs out and the
// process is killed. Whatever happens, no answer may be wrong.
//
//   storm memory|rocksdb [--seconds N] [--seed N] [--keys N]
//
// `memory`: the store outlives its guards, which are dropped unclosed; allocations fail. `rocksdb`: each life is a
// process that is killed by kill -9, and in every third one the disk begins to fail. Prints the seed. Exits with 1 if
// an answer was wrong or a process ended by itself.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <telescope/memory_store.hpp>
#include <telescope/testing/faulty_store.hpp>
#include <thread>

#include "life.hpp"
#include "support/borrowed_store.hpp"
#include "support/directory.hpp"
#ifdef STORM_ROCKSDB
#include <telescope/rocksdb_store.hpp>

#include "support/failing_calls.hpp"
#endif

namespace telescope::storm {
namespace {

struct Options {
  std::string store;
  double seconds = 10;
  std::uint64_t seed = std::random_device{}();
  std::uint32_t keys = 2000;
};

std::shared_ptr<Faults> faults_of(std::uint64_t seed) {
  auto faults = std::make_shared<Faults>(FaultPlan{.seed = seed,
                                                   .before = 0.01,
                                                   .after = 0.01,
                                                   .torn = 0.01,
                                                   .mid_scan = 0.01,
                                                   .delay = 0.01,
                                                   .delay_up_to = std::chrono::microseconds(500)});
  faults->turn_off();
  return faults;
}

// Any kind of filter, so narrow and full that false positives, adapts and growth happen all the time.
SetOptions set_of(std::uint64_t seed) {
  constexpr FilterKind kKinds[] = {FilterKind::taf, FilterKind::exaf, FilterKind::utaf, FilterKind::rsqf};
  return {.filter = kKinds[seed % 4], .width = 4 + static_cast<unsigned>(seed / 4 % 2) * 4, .capacity = 200};
}

std::uint64_t life_seed(const Options& options, std::uint64_t life) { return Faults::mix(options.seed + life); }

std::chrono::milliseconds life_length(std::uint64_t seed) {
  return std::chrono::milliseconds(100 + Faults::mix(seed) % 1500);
}

int in_memory(const Options& options, Journal& journal, std::uint64_t& lives) {
  const testing::Directory directory;
  const GuardOptions guarding{.snapshot = directory.path() / "filter.tsnap"};
  MemoryStore store;
  if (!Guard::create(testing::Borrowed(store), set_of(options.seed), guarding).ok()) return 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (; std::chrono::steady_clock::now() < end; ++lives) {
    const std::uint64_t seed = life_seed(options, lives);
    const auto faults = faults_of(seed);
    auto guard = Guard::open(FaultyStore(store, faults), guarding);
    if (!guard.ok()) return std::fprintf(stderr, "storm: open: %s\n", guard.error().what.c_str()), 1;
    if (!inspect(*guard, journal)) return 1;
    live(*guard, *faults, journal, {.seed = seed, .length = life_length(seed), .failing_allocations = true});
    if (journal.totals().violations.load() != 0) return 1;
  }
  return 0;
}

#ifdef STORM_ROCKSDB
// From some system call on, one or all that change files fail.
void let_the_disk_fail(std::uint64_t seed) {
  constexpr int kErrors[] = {EIO, ENOSPC, EROFS, EDQUOT, EACCES};
  testing::fail_call({.after = static_cast<long>(Faults::mix(seed + 1) % 3000),
                      .lasts = Faults::mix(seed + 2) % 2 != 0,
                      .error = kErrors[Faults::mix(seed + 3) % std::size(kErrors)],
                      .halfway = Faults::mix(seed + 4) % 2 != 0});
}

// Every use of RocksDB is in a process of its own.
int one_life(const Options& options, Journal& journal, const std::filesystem::path& directory, std::uint64_t seed,
             bool first) {
  testing::watch_calls_below(directory.string());
  auto store = RocksDbStore::open(directory / "store", {.write_buffer_bytes = 1 << 20});
  if (!store.ok()) return std::fprintf(stderr, "storm: %s\n", store.error().what.c_str()), 1;
  const GuardOptions guarding{.snapshot = directory / "filter.tsnap"};
  const auto faults = faults_of(seed);
  FaultyStore faulty(std::move(*store), faults);
  auto guard = first ? Guard::create(std::move(faulty), set_of(options.seed), guarding)
                     : Guard::open(std::move(faulty), guarding);
  if (!guard.ok()) return std::fprintf(stderr, "storm: open: %s\n", guard.error().what.c_str()), 1;
  if (!inspect(*guard, journal)) return 1;
  if (!first && seed % 3 == 0) let_the_disk_fail(seed);
  live(*guard, *faults, journal, {.seed = seed, .length = std::chrono::hours(1)});  // until it is killed
  return 1;
}

int over_rocksdb(const Options& options, Journal& journal, std::uint64_t& lives) {
  const testing::Directory directory;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (; std::chrono::steady_clock::now() < end; ++lives) {
    const std::uint64_t seed = life_seed(options, lives);
    const pid_t child = ::fork();
    if (child < 0) return std::perror("fork"), 1;
    if (child == 0) ::_exit(one_life(options, journal, directory.path(), seed, lives == 0));
    // The first one creates the set, which must be whole before it is opened again.
    const auto length = life_length(seed) + std::chrono::milliseconds(lives == 0 ? 2000 : 0);
    int status = 0;
    pid_t ended = 0;
    for (const auto dies = std::chrono::steady_clock::now() + length;
         ended == 0 && std::chrono::steady_clock::now() < dies;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ended = ::waitpid(child, &status, WNOHANG);
    }
    if (ended == 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
    }
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
      std::fprintf(stderr, "storm: a process ended by itself, with status %#x\n", static_cast<unsigned>(status));
      return 1;
    }
  }
  // What the last one has left.
  const pid_t child = ::fork();
  if (child == 0) {
    auto store = RocksDbStore::open(directory.path() / "store");
    if (!store.ok()) ::_exit(1);
    auto guard = Guard::open(std::move(*store), {.snapshot = directory.path() / "filter.tsnap"});
    ::_exit(guard.ok() && inspect(*guard, journal) ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
#endif

int usage() {
  std::fputs("storm memory|rocksdb [--seconds N] [--seed N] [--keys N]\n", stderr);
  return 2;
}

int run(int count, char** arguments) {
  if (count < 2 || count % 2 != 0) return usage();
  Options options{.store = arguments[1]};
  for (int i = 2; i < count; i += 2) {
    const char* const value = arguments[i + 1];
    if (std::strcmp(arguments[i], "--seconds") == 0) {
      options.seconds = std::strtod(value, nullptr);
    } else if (std::strcmp(arguments[i], "--seed") == 0) {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (std::strcmp(arguments[i], "--keys") == 0) {
      options.keys = std::max(2u, static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10)) / 2 * 2);
    } else {
      return usage();
    }
  }
  std::printf("storm %s --seconds %g --seed %llu --keys %u\n", options.store.c_str(), options.seconds,
              static_cast<unsigned long long>(options.seed), options.keys);
  std::fflush(stdout);
  Journal journal(options.keys);
  std::uint64_t lives = 0;
  int status = 2;
  if (options.store == "memory") status = in_memory(options, journal, lives);
#ifdef STORM_ROCKSDB
  if (options.store == "rocksdb") status = over_rocksdb(options, journal, lives);
#endif
  if (status == 2) return usage();
  const auto& totals = journal.totals();
  const auto number = [](const std::atomic<std::uint64_t>& n) { return static_cast<unsigned long long>(n.load()); };
  std::printf("%llu lives, %llu operations, %llu errors, %llu faults, %llu writes in doubt: %s\n",
              static_cast<unsigned long long>(lives), number(totals.operations), number(totals.errors),
              number(totals.faults), number(totals.doubts), status == 0 ? "no answer was wrong" : "FAILED");
  return status;
}

}  // namespace
}  // namespace telescope::storm

int main(int count, char** arguments) { return telescope::storm::run(count, arguments); }
