#include "bench/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "bench/referee.hpp"
#include "contestants/make_filter.hpp"
#include "workloads/active_set.hpp"

namespace telescope::lab {
namespace {

using KeyVector = std::vector<std::uint64_t>;

// Keys from here on are negatives: those that are asked first, those after adapting, those to adapt on.
constexpr std::uint64_t kFresh = std::uint64_t{1} << 40, kFreshAfter = std::uint64_t{2} << 40,
                        kLearned = std::uint64_t{3} << 40;

std::uint64_t bytes_of(const Score& score, std::uint64_t slots) {
  return static_cast<std::uint64_t>(score.bits_per_slot * static_cast<double>(slots) / 8);
}

class Repetition {
 public:
  Repetition(const std::vector<ContestantFactory>& factories, const SpeedOptions& options, unsigned number,
             std::vector<Scores>& loads, Progress& progress)
      : factories_(factories),
        options_(options),
        number_(number),
        seed_(options.seed + number),
        keys_(seed_),
        referee_(number),
        loads_(loads),
        progress_(progress) {}

  void run() {
    std::vector<ScoredContestant> contestants = enter(), batch_contestants;
    if (wanted("insert_batch")) batch_contestants = enter();
    for (Scores& scores : loads_) {
      point_to(scores, contestants);
      point_to(scores, batch_contestants);
      const auto members = static_cast<std::uint64_t>(scores.load * static_cast<double>(scores.slots));
      fill(contestants, members, "insert");
      fill(batch_contestants, members, "insert_batch");
      filled_ = members;
      const MemoryArray memory = memory_beside(scores);
      query_all(contestants, scores, memory, kFresh, "");
      if (&scores != &loads_.back() || !wanted("adapt")) continue;
      adapt(contestants);
      query_all(contestants, scores, memory, kFreshAfter, "_adapted");
    }
  }

 private:
  bool wanted(const std::string& operation) const {
    const auto& chosen = options_.operations;
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), operation) != chosen.end();
  }

  std::vector<ScoredContestant> enter() const {
    std::vector<ScoredContestant> contestants;
    for (const ContestantFactory& factory : factories_) {
      contestants.push_back({factory.make({.slots = loads_.front().slots, .seed = seed_}), nullptr});
    }
    return contestants;
  }

  static void point_to(Scores& scores, std::vector<ScoredContestant>& contestants) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      contestants[i].score = &scores.filters[i];
      contestants[i].score->bits_per_slot =
          static_cast<double>(contestants[i].contestant->bits()) / static_cast<double>(scores.slots);
    }
  }

  static MemoryArray memory_beside(Scores& scores) {
    scores.memory.bits_per_slot = std::numeric_limits<double>::infinity();
    for (const Score& score : scores.filters) {
      scores.memory.bits_per_slot = std::min(scores.memory.bits_per_slot, score.bits_per_slot);
    }
    return MemoryArray(bytes_of(scores.memory, scores.slots));
  }

  // Every contestant inserts a slice of the members per turn, so that the loads rise together. Keys are made slice by
  // slice, off the clock: beside the filters, memory does not grow with the slots.
  void fill(const std::vector<ScoredContestant>& contestants, std::uint64_t members, const std::string& operation) {
    if (contestants.empty()) return;
    for (std::uint64_t done = filled_; done < members; done += kTurnKeys) {
      show(fmt::format("{}: {} of {} members", operation, done, members));
      in_turns(keys_.range(done, std::min<std::uint64_t>(kTurnKeys, members - done)), contestants.size(),
               number_ + done / kTurnKeys, [&](std::size_t i, const Turn& turn) {
                 operation == "insert" ? referee_.insert(contestants[i], turn)
                                       : referee_.insert_batch(contestants[i], turn);
               });
    }
  }

  void query_all(const std::vector<ScoredContestant>& contestants, Scores& scores, const MemoryArray& memory,
                 std::uint64_t first, const std::string& suffix) {
    const KeyVector fresh = negatives(first);
    KeyVector present(static_cast<std::size_t>(options_.probes));
    for (std::size_t i = 0; i < present.size(); ++i) present[i] = keys_[i % filled_];
    query(contestants, scores, memory, "negative" + suffix, fresh);
    query(contestants, scores, memory, "positive" + suffix, present);
    query(contestants, scores, memory, "negative_batch" + suffix, fresh);
  }

  KeyVector negatives(std::uint64_t first) {
    if (options_.queries != "active") return keys_.range(first, options_.probes);
    KeyVector keys(static_cast<std::size_t>(options_.probes));
    for (std::uint64_t& key : keys) key = stream_.next();
    return keys;
  }

  // The memory takes its turns as one more contestant.
  void query(const std::vector<ScoredContestant>& contestants, Scores& scores, const MemoryArray& memory,
             const std::string& operation, const KeyVector& keys) {
    if (!wanted(operation.substr(0, operation.find("_adapted")))) return;
    show(operation);
    const std::string reads = reads_beside(operation);
    const bool batch = operation.starts_with("negative_batch"), members = operation.starts_with("positive");
    in_turns(keys, contestants.size() + (reads.empty() ? 0 : 1), number_, [&](std::size_t i, const Turn& turn) {
      if (i == contestants.size()) {
        referee_.read(memory, scores.memory, reads, turn);
      } else if (batch) {
        referee_.query_batch(contestants[i], operation, turn);
      } else {
        referee_.query(contestants[i], operation, turn, members);
      }
    });
  }

  void adapt(const std::vector<ScoredContestant>& contestants) {
    const MemberIndex members(hashes_of(keys_.range(0, filled_), experiment_hash(seed_)));
    const auto unique = static_cast<std::uint64_t>(options_.unique_negatives * static_cast<double>(filled_));
    for (const ScoredContestant& scored : contestants) {
      show("adapt " + scored.score->filter);
      referee_.adapt(scored, keys_, kLearned, unique, members);
    }
  }

  void show(const std::string& what) {
    progress_.show(fmt::format("{} slots, repetition {}: {}", loads_.front().slots, number_ + 1, what));
  }

  const std::vector<ContestantFactory>& factories_;
  const SpeedOptions& options_;
  unsigned number_;
  std::uint64_t seed_;
  Keys keys_;
  ActiveSet stream_;
  std::uint64_t filled_ = 0;
  Referee referee_;
  std::vector<Scores>& loads_;
  Progress& progress_;
};

}  // namespace

std::string reads_beside(const std::string& operation) {
  if (!operation.starts_with("negative")) return "";
  const bool batch = operation.starts_with("negative_batch");
  return std::string(batch ? "read_batch" : "read_single") + (operation.ends_with("_adapted") ? "_adapted" : "");
}

std::vector<Scores> run_interleaved(const std::vector<ContestantFactory>& factories, const SpeedOptions& options,
                                    std::uint64_t slots, Progress& progress) {
  std::vector<Scores> loads;
  for (const double load : options.loads) {
    Scores& scores = loads.emplace_back(Scores{slots, load, {}, {.filter = "memory"}});
    for (const ContestantFactory& factory : factories) scores.filters.push_back({factory.name, factory.peer});
  }
  std::sort(loads.begin(), loads.end(), [](const Scores& a, const Scores& b) { return a.load < b.load; });
  for (unsigned number = 0; number < options.reps; ++number) {
    Repetition(factories, options, number, loads, progress).run();
  }
  return loads;
}

}  // namespace telescope::lab
