// What one thread does to a filter, plain or concurrent: negatives, and among them inserts and adapts if asked for.
#pragma once

#include <telescope/concurrent.hpp>

#include "bench/life/life.hpp"
#include "contestants/make_filter.hpp"
#include "measure/clocks.hpp"
#include "members/shared_members.hpp"

namespace telescope::lab {

using PlainFilter = Taf<8>;
using SharedFilter = ConcurrentFilter<Taf<8>>;

struct Work {
  std::vector<std::uint64_t> reads, inserts, adapts;
  static constexpr std::size_t kReadsPerWrite = 19;  // 95 % and 5 %

  std::size_t operations() const { return reads.size() + inserts.size() + adapts.size(); }
};

// Prepares what the threads need: the filled filter, its members, and the work of each thread.
class Bed {
 public:
  Bed(const LifeOptions& options, std::uint64_t seed, bool writes)
      : options_(options),
        writes_(writes),
        keys_(seed),
        hash_(experiment_hash(seed)),
        filter_(fill()),
        members_(hashes_of(keys_.range(0, size()), hash_)) {}

  PlainFilter take_filter() { return std::move(filter_); }
  SharedMembers& members() { return members_; }

  // Returns the work of one worker, which no other has. Keys to adapt on are false positives now.
  Work work(std::uint64_t worker) const {
    Work work;
    const std::uint64_t first = (worker + 1) << 40;
    if (!writes_) {
      work.reads = keys_.range(first, options_.operations);
      return work;
    }
    const std::uint64_t writes = options_.operations / (Work::kReadsPerWrite + 1);
    work.reads = keys_.range(first, options_.operations - writes);
    work.inserts = keys_.range(first + (std::uint64_t{1} << 36), writes / 2);
    const std::uint64_t more = first + (std::uint64_t{1} << 37);
    for (std::uint64_t i = 0; work.adapts.size() < writes - writes / 2; ++i) {
      if (filter_.contains(keys_[more + i])) work.adapts.push_back(keys_[more + i]);
    }
    return work;
  }

 private:
  // Leaves room for inserts.
  std::uint64_t size() const {
    const double load = writes_ ? options_.load - 0.05 : options_.load;
    return static_cast<std::uint64_t>(load * static_cast<double>(options_.thread_slots));
  }
  PlainFilter fill() const {
    PlainFilter filter = PlainFilter::create({.slots = options_.thread_slots}, hash_).value();
    const auto members = keys_.range(0, size());
    if (!filter.insert(std::span<const std::uint64_t>(members)).status) throw LabError("an insert failed");
    return filter;
  }

  LifeOptions options_;
  bool writes_;
  Keys keys_;
  Xxh3 hash_;
  PlainFilter filter_;
  SharedMembers members_;
};

inline bool insert(PlainFilter& filter, SharedMembers& members, std::uint64_t key) {
  const bool inserted = filter.insert(key, members).ok();
  if (inserted) members.add(filter.hash_of(key));
  return inserted;
}
inline bool insert(SharedFilter& filter, SharedMembers& members, std::uint64_t key) {
  const auto add = [&] {
    members.add(filter.hash_of(key));
    return Status{};
  };
  return filter.insert(key, members, add).ok();
}

// Does the work and returns the seconds that it took, on the wall.
template <class F>
double run_work(F& filter, SharedMembers& members, const Work& work) {
  const WallClock clock;
  std::uint64_t hits = 0;
  if (work.operations() == work.reads.size()) {
    for (const std::uint64_t key : work.reads) hits += filter.contains(key);
  } else {
    std::size_t read = 0;
    for (std::size_t write = 0; write < work.inserts.size() + work.adapts.size(); ++write) {
      const std::size_t stop = std::min(work.reads.size(), read + Work::kReadsPerWrite);
      for (; read < stop; ++read) hits += filter.contains(work.reads[read]);
      const bool done = write % 2 == 0 && write / 2 < work.inserts.size()
                            ? insert(filter, members, work.inserts[write / 2])
                            : filter.adapt(work.adapts[write / 2], members).ok();
      if (!done) throw LabError("a write failed");
    }
  }
  consume(hits);
  return clock.seconds();
}

}  // namespace telescope::lab
