// Two threads on one concurrent filter, against two with a plain filter each: what the machine itself allows.
#include <barrier>
#include <deque>
#include <thread>

#include "bench/life/work.hpp"

namespace telescope::lab {
namespace {

constexpr unsigned kWorkers = 2;

// Runs `run(worker)`, which returns seconds, in as many threads as there are workers, all starting at once. Returns
// million operations per second of all workers together.
template <class Run>
double in_threads(const std::vector<Work>& works, Run run) {
  std::barrier start(kWorkers);
  std::array<double, kWorkers> seconds{};
  std::array<std::exception_ptr, kWorkers> failed;
  {
    std::vector<std::jthread> workers;
    for (unsigned w = 0; w < kWorkers; ++w) {
      workers.emplace_back([&, w] {
        start.arrive_and_wait();
        try {
          seconds[w] = run(w);
        } catch (...) {
          failed[w] = std::current_exception();
        }
      });
    }
  }
  double mops = 0;
  for (unsigned w = 0; w < kWorkers; ++w) {
    if (failed[w]) std::rethrow_exception(failed[w]);
    mops += static_cast<double>(works[w].operations()) / seconds[w] / 1e6;
  }
  return mops;
}

double with_one_filter(const LifeOptions& options, std::uint64_t seed, bool writes) {
  Bed bed(options, seed, writes);
  std::vector<Work> works;
  for (unsigned w = 0; w < kWorkers; ++w) works.push_back(bed.work(w));
  auto filter = SharedFilter::share(bed.take_filter());
  if (!filter) throw LabError(std::string(message(filter.error())));
  return in_threads(works, [&](unsigned w) { return run_work(*filter, bed.members(), works[w]); });
}

// The same work, each thread with a filter and members of its own.
double with_own_filters(const LifeOptions& options, std::uint64_t seed, bool writes) {
  std::deque<Bed> beds;
  std::vector<Work> works;
  std::vector<PlainFilter> filters;
  for (unsigned w = 0; w < kWorkers; ++w) {
    beds.emplace_back(options, seed, writes);
    works.push_back(beds[w].work(w));
    filters.push_back(beds[w].take_filter());
  }
  return in_threads(works, [&](unsigned w) { return run_work(filters[w], beds[w].members(), works[w]); });
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
      const double ours = with_one_filter(options, options.seed + rep, writes);
      pairs.add(ours, with_own_filters(options, options.seed + rep, writes));
    }
    rows.push_back(pairs.more_is_better(writes ? "2 threads, 5 % inserts and adapts" : "2 threads, reads", "M/s",
                                        "2 threads, a plain filter each"));
  }
  return rows;
}

}  // namespace telescope::lab
