// Two threads on one concurrent filter, against two processes with a plain filter each: what the machine itself allows.
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <thread>

#include "bench/life/work.hpp"

namespace telescope::lab {
namespace {

constexpr unsigned kWorkers = 2;

// M operations per second, of all workers together.
double threads(const LifeOptions& options, std::uint64_t seed, bool writes) {
  Bed bed(options, seed, writes);
  std::vector<Work> works;
  for (unsigned w = 0; w < kWorkers; ++w) works.push_back(bed.work(w));
  auto filter = SharedFilter::share(bed.take_filter());
  if (!filter) throw LabError(std::string(message(filter.error())));
  std::barrier start(kWorkers);
  std::array<double, kWorkers> seconds{};
  std::array<std::exception_ptr, kWorkers> failed;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < kWorkers; ++w) {
    workers.emplace_back([&, w] {
      start.arrive_and_wait();
      try {
        seconds[w] = run_work(*filter, bed.members(), works[w]);
      } catch (...) {
        failed[w] = std::current_exception();
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& error : failed) {
    if (error) std::rethrow_exception(error);
  }
  double mops = 0;
  for (unsigned w = 0; w < kWorkers; ++w) mops += static_cast<double>(works[w].operations()) / seconds[w] / 1e6;
  return mops;
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw LabError("cannot make a pipe");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    ::close(read);
    ::close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  template <class T>
  void put(const T& value) const {
    if (::write(write, &value, sizeof value) != sizeof value) throw LabError("a worker's pipe broke");
  }
  template <class T>
  T get() const {
    T value;
    if (::read(read, &value, sizeof value) != sizeof value) throw LabError("a worker ended early");
    return value;
  }
};

// The same work, each with a filter and members of its own.
double processes(const LifeOptions& options, std::uint64_t seed, bool writes) {
  std::array<Pipe, kWorkers> go, done;
  std::array<pid_t, kWorkers> children{};
  for (unsigned w = 0; w < kWorkers; ++w) {
    children[w] = ::fork();
    if (children[w] < 0) throw LabError("cannot fork");
    if (children[w] != 0) continue;
    try {
      Bed bed(options, seed, writes);
      const Work work = bed.work(w);
      PlainFilter filter = bed.take_filter();
      done[w].put(0.0);
      go[w].get<char>();
      done[w].put(static_cast<double>(work.operations()) / run_work(filter, bed.members(), work) / 1e6);
      ::_exit(0);
    } catch (...) {
      ::_exit(1);
    }
  }
  for (Pipe& pipe : done) {
    ::close(pipe.write);  // so that a child that dies is noticed
    pipe.write = -1;
  }
  double mops = 0;
  for (const Pipe& pipe : done) pipe.get<double>();
  for (const Pipe& pipe : go) pipe.put('g');
  for (const Pipe& pipe : done) mops += pipe.get<double>();
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  return mops;
}

// One thread: what the versions cost, in processor time. The two take turns every few milliseconds, so that both meet
// the same machine.
Row measure_alone(const LifeOptions& options) {
  Pairs pairs;
  Bed bed(options, options.seed, false);
  const Work work = bed.work(0);
  const PlainFilter plain = bed.take_filter();
  const auto shared = SharedFilter::share(plain.clone().value());
  if (!shared) throw LabError(std::string(message(shared.error())));
  const auto seconds = [](const auto& filter, std::span<const std::uint64_t> keys) {
    const Stopwatch watch;
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += filter.contains(key);
    consume(hits);
    return watch.seconds();
  };
  constexpr std::size_t kTurn = 1 << 16;
  for (unsigned rep = 0; rep < options.reps; ++rep) {
    double ours = 0, theirs = 0;
    for (std::size_t done = 0; done < work.reads.size(); done += kTurn) {
      const auto keys = std::span(work.reads).subspan(done, std::min(kTurn, work.reads.size() - done));
      ours += seconds(*shared, keys);
      theirs += seconds(plain, keys);
    }
    const double million = static_cast<double>(work.reads.size()) / 1e6;
    pairs.add(million / ours, million / theirs);
  }
  return pairs.more_is_better("one thread, negatives", "M/s", "the plain filter");
}

}  // namespace

Rows measure_threads(const LifeOptions& options, Progress& progress) {
  progress.show("one thread");
  Rows rows{measure_alone(options)};
  for (const bool writes : {false, true}) {
    Pairs pairs;
    for (unsigned rep = 0; rep < options.reps; ++rep) {
      progress.show(writes ? "two threads, mixed" : "two threads, reads");
      const double ours = threads(options, options.seed + rep, writes);
      pairs.add(ours, processes(options, options.seed + rep, writes));
    }
    rows.push_back(pairs.more_is_better(writes ? "2 threads, 5 % inserts and adapts" : "2 threads, reads", "M/s",
                                        "2 processes, a plain filter each"));
  }
  return rows;
}

}  // namespace telescope::lab
