#include "bench/scale_run.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/referee.hpp"
#include "measure/memory_array.hpp"

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
    const std::size_t count = contestants_.size();
    for (unsigned rep = 0; rep < options_.reps; ++rep) {
      const Referee referee(counters_, rep);
      const std::vector<std::uint64_t> fresh = keys_.range(members_ + rep * options_.probes, options_.probes);
      progress_.show(fmt::format("{} slots: queries, repetition {}", slots_, rep + 1));
      // The memory takes its turns as one more contestant.
      in_turns(fresh, count + 1, rep, [&](std::size_t i, const Turn& turn) {
        i == count ? referee.read_single(memory, scores_.memory, "read_single", turn)
                   : referee.query(*contestants_[i], scores_.filters[i], "negative", turn);
      });
      in_turns(fresh, count + 1, rep, [&](std::size_t i, const Turn& turn) {
        i == count ? referee.read_batch(memory, scores_.memory, "read_batch", turn)
                   : referee.query_batch(*contestants_[i], scores_.filters[i], "negative_batch", turn);
      });
      in_turns(present, count, rep, [&](std::size_t i, const Turn& turn) {
        referee.query_members(*contestants_[i], scores_.filters[i], "positive", turn);
      });
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
    in_turns(Keys(rep).range(0, options.probes), 2, rep, [&](std::size_t i, const Turn& turn) {
      i == 0 ? referee.read_single(memory, score, "read_single_far", turn)
             : referee.read_batch(memory, score, "read_batch_far", turn);
    });
  }
  return score;
}

}  // namespace telescope::lab
