#include "bench/interleaved.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/referee.hpp"
#include "measure/memory_array.hpp"

namespace telescope::lab {
namespace {

using KeyVector = std::vector<std::uint64_t>;

// The keys of one repetition. Members come first; negatives are fresh for each operation.
struct KeySets {
  KeySets(const RunOptions& options, std::uint64_t seed)
      : keys(seed),
        members(keys.range(0, static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots)))),
        fresh(keys.range(members.size(), options.probes)),
        fresh_after(keys.range(members.size() + options.probes, options.probes)),
        present(options.probes),
        learned{keys, members.size() + 2 * options.probes,
                static_cast<std::uint64_t>(options.unique_negatives * static_cast<double>(members.size()))} {
    for (std::size_t i = 0; i < present.size(); ++i) present[i] = members[i % members.size()];
  }

  Keys keys;
  KeyVector members, fresh, fresh_after, present;
  Negatives learned;
};

class Repetition {
 public:
  Repetition(const std::vector<std::unique_ptr<Entry>>& entries, const RunOptions& options, unsigned number,
             const Counters& counters, Scores& scores, Progress& progress)
      : entries_(entries),
        options_(options),
        number_(number),
        seed_(options.seed + number),
        sets_(options, seed_),
        referee_(counters, number),
        scores_(scores),
        progress_(progress) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      contestants_.push_back(entries[i]->make(options.slots, seed_));
      scores.filters[i].bits_per_slot = contestants_[i]->bits_per_slot();
    }
  }

  void run() {
    insert();
    insert_batch();
    const MemoryArray memory = make_memory();
    query("negative", sets_.fresh, memory);
    query_members("positive");
    query_batch("negative_batch", sets_.fresh, memory);
    adapt();
    query("negative_adapted", sets_.fresh_after, memory);
    query_members("positive_adapted");
    query_batch("negative_batch_adapted", sets_.fresh_after, memory);
  }

 private:
  // Every contestant inserts a slice of the members per turn, so that the loads rise together.
  void insert() {
    show("insert");
    in_turns(sets_.members, contestants_.size(), number_,
             [&](std::size_t i, const Turn& turn) { referee_.insert(*contestants_[i], scores_.filters[i], turn); });
  }

  void insert_batch() {
    show("insert_batch");
    std::vector<std::unique_ptr<Contestant>> others;
    for (const auto& entry : entries_) others.push_back(entry->make(options_.slots, seed_));
    in_turns(sets_.members, others.size(), number_,
             [&](std::size_t i, const Turn& turn) { referee_.insert_batch(*others[i], scores_.filters[i], turn); });
  }

  // The memory takes its turns as one more contestant, here and in batches.
  void query(const std::string& operation, const KeyVector& keys, const MemoryArray& memory) {
    show(operation);
    in_turns(keys, contestants_.size() + 1, number_, [&](std::size_t i, const Turn& turn) {
      i == contestants_.size() ? referee_.read_single(memory, scores_.memory, reads_beside(operation), turn)
                               : referee_.query(*contestants_[i], scores_.filters[i], operation, turn);
    });
    count_decodes(operation, keys);
  }

  void query_batch(const std::string& operation, const KeyVector& keys, const MemoryArray& memory) {
    show(operation);
    in_turns(keys, contestants_.size() + 1, number_, [&](std::size_t i, const Turn& turn) {
      i == contestants_.size() ? referee_.read_batch(memory, scores_.memory, reads_beside(operation), turn)
                               : referee_.query_batch(*contestants_[i], scores_.filters[i], operation, turn);
    });
  }

  void query_members(const std::string& operation) {
    show(operation);
    in_turns(sets_.present, contestants_.size(), number_, [&](std::size_t i, const Turn& turn) {
      referee_.query_members(*contestants_[i], scores_.filters[i], operation, turn);
    });
    count_decodes(operation, sets_.present);
  }

  void adapt() {
    const auto members = index_members(sets_.members, seed_);
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      show("adapt " + entries_[i]->name());
      referee_.adapt(*contestants_[i], scores_.filters[i], sets_.learned, *members);
    }
  }

  MemoryArray make_memory() {
    scores_.memory.bits_per_slot = smallest_bits_per_slot(scores_.filters);
    const std::uint64_t bytes = bytes_of(scores_.memory, options_.slots);
    return MemoryArray(bytes, pages_for(bytes));
  }

  // A statistic, not a timing: once is enough.
  void count_decodes(const std::string& operation, const KeyVector& keys) {
    if (number_ > 0) return;
    const auto some = std::span(keys).first(std::min<std::size_t>(keys.size(), std::size_t{1} << 18));
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      scores_.filters[i].operations[operation].decodes = contestants_[i]->decodes_per_query(some).value_or(-1);
    }
  }

  void show(const std::string& what) { progress_.show(fmt::format("repetition {}: {}", number_ + 1, what)); }

  const std::vector<std::unique_ptr<Entry>>& entries_;
  const RunOptions& options_;
  unsigned number_;
  std::uint64_t seed_;
  KeySets sets_;
  std::vector<std::unique_ptr<Contestant>> contestants_;
  Referee referee_;
  Scores& scores_;
  Progress& progress_;
};

}  // namespace

Scores run_interleaved(const std::vector<std::unique_ptr<Entry>>& entries, const RunOptions& options,
                       const Counters& counters, Progress& progress) {
  Scores scores = empty_scores(entries);
  for (unsigned number = 0; number < options.reps; ++number) {
    Repetition(entries, options, number, counters, scores, progress).run();
  }
  return scores;
}

}  // namespace telescope::lab
