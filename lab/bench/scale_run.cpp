#include "scale_run.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "../memory_array.hpp"
#include "referee.hpp"

namespace telescope::lab {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;  // keys made and inserted at a time

class SizeRun {
 public:
  SizeRun(const std::vector<std::unique_ptr<Entry>>& entries, std::uint64_t slots, const ScaleOptions& options,
          Progress& progress)
      : options_(options),
        slots_(slots),
        members_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(options.load * static_cast<double>(slots)))),
        keys_(options.seed),
        scores_(empty_scores(entries)),
        progress_(progress) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      contestants_.push_back(entries[i]->make(slots, options.seed));
      scores_.filters[i].bits_per_slot = contestants_[i]->bits_per_slot();
    }
    scores_.memory.bits_per_slot = smallest_bits_per_slot(scores_.filters);
  }

  Scores run() {
    for (std::size_t i = 0; i < contestants_.size(); ++i) fill(i);
    const std::uint64_t bytes = bytes_of(scores_.memory, slots_);
    const MemoryArray memory(bytes, pages_for(bytes));
    const std::vector<std::uint64_t> present = some_members();
    for (unsigned rep = 0; rep < options_.reps; ++rep) {
      const Referee referee(counters_, rep);
      const std::vector<std::uint64_t> fresh = keys_.range(members_ + rep * options_.probes, options_.probes);
      progress_.show(fmt::format("{} slots: queries, repetition {}", slots_, rep + 1));
      each(rep, [&](Contestant& c, Score& score) { referee.query(c, score, "negative", fresh); });
      referee.read_single(memory, scores_.memory, "read_single", options_.probes);
      each(rep, [&](Contestant& c, Score& score) { referee.query_batch(c, score, "negative_batch", fresh); });
      referee.read_batch(memory, scores_.memory, "read_batch", options_.probes);
      each(rep, [&](Contestant& c, Score& score) { referee.query_members(c, score, "positive", present); });
    }
    return scores_;
  }

 private:
  // Making the keys is off the clock.
  void fill(std::size_t i) {
    Cost cost;
    for (std::uint64_t done = 0; done < members_; done += kChunk) {
      progress_.show(
          fmt::format("{} slots: {} of {} members into {}", slots_, done, members_, scores_.filters[i].filter));
      const std::vector<std::uint64_t> chunk = keys_.range(done, std::min(kChunk, members_ - done));
      const Lap lap(counters_);
      contestants_[i]->fill(chunk);
      cost += lap.stop();
    }
    Referee(counters_, 0).record(scores_.filters[i], "insert", members_, cost);
  }

  std::vector<std::uint64_t> some_members() const {
    std::vector<std::uint64_t> some(static_cast<std::size_t>(options_.probes));
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = keys_[i % members_];
    return some;
  }

  template <class Operation>
  void each(unsigned rep, Operation operation) {
    for (std::size_t turn = 0; turn < contestants_.size(); ++turn) {
      const std::size_t i = (turn + rep) % contestants_.size();
      operation(*contestants_[i], scores_.filters[i]);
    }
  }

  const ScaleOptions& options_;
  std::uint64_t slots_;
  std::uint64_t members_;
  Keys keys_;
  Counters counters_{false};
  std::vector<std::unique_ptr<Contestant>> contestants_;
  Scores scores_;
  Progress& progress_;
};

}  // namespace

Scores run_size(const std::vector<std::unique_ptr<Entry>>& entries, std::uint64_t slots, const ScaleOptions& options,
                Progress& progress) {
  return SizeRun(entries, slots, options, progress).run();
}

Score run_far(std::uint64_t bytes, const ScaleOptions& options, Progress& progress) {
  progress.show(fmt::format("reads of {} bytes", bytes));
  const MemoryArray memory(bytes, pages_for(bytes));
  const Counters counters(false);
  Score score;
  score.filter = "memory";
  for (unsigned rep = 0; rep < options.reps; ++rep) {
    const Referee referee(counters, rep);
    referee.read_single(memory, score, "read_single_far", options.probes);
    referee.read_batch(memory, score, "read_batch_far", options.probes);
  }
  return score;
}

}  // namespace telescope::lab
