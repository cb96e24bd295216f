#include "interleaved.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <type_traits>

#include "../memory_array.hpp"
#include "referee.hpp"

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
    each("insert", [&](Contestant& c, Score& score) { referee_.insert(c, score, sets_.members); });
    each("insert_batch", [&](std::size_t i) {
      const auto another = entries_[i]->make(options_.slots, seed_);
      referee_.insert_batch(*another, scores_.filters[i], sets_.members);
    });
    query("negative", sets_.fresh);
    query_members("positive");
    query_batch("negative_batch", sets_.fresh);
    read_memory();
    const auto members = index_members(sets_.members, seed_);
    each("adapt", [&](Contestant& c, Score& score) { referee_.adapt(c, score, sets_.learned, *members); });
    query("negative_adapted", sets_.fresh_after);
    query_members("positive_adapted");
    query_batch("negative_batch_adapted", sets_.fresh_after);
  }

 private:
  // Every contestant once, starting one further on in each repetition.
  template <class Operation>
  void each(const std::string& name, Operation operation) {
    for (std::size_t turn = 0; turn < contestants_.size(); ++turn) {
      const std::size_t i = (turn + number_) % contestants_.size();
      show(name, entries_[i]->name());
      if constexpr (std::is_invocable_v<Operation, std::size_t>) {
        operation(i);
      } else {
        operation(*contestants_[i], scores_.filters[i]);
      }
    }
  }

  void query(const std::string& operation, const KeyVector& keys) {
    each(operation, [&](Contestant& contestant, Score& score) {
      referee_.query(contestant, score, operation, keys);
      count_decodes(contestant, score.operations[operation], keys);
    });
  }

  void query_members(const std::string& operation) {
    each(operation, [&](Contestant& contestant, Score& score) {
      referee_.query_members(contestant, score, operation, sets_.present);
      count_decodes(contestant, score.operations[operation], sets_.present);
    });
  }

  void query_batch(const std::string& operation, const KeyVector& keys) {
    each(operation,
         [&](Contestant& contestant, Score& score) { referee_.query_batch(contestant, score, operation, keys); });
  }

  void read_memory() {
    show("reads", scores_.memory.filter);
    scores_.memory.bits_per_slot = smallest_bits_per_slot(scores_.filters);
    const std::uint64_t bytes = bytes_of(scores_.memory, options_.slots);
    const MemoryArray memory(bytes, pages_for(bytes));
    referee_.read_single(memory, scores_.memory, "read_single", options_.probes);
    referee_.read_batch(memory, scores_.memory, "read_batch", options_.probes);
  }

  void count_decodes(const Contestant& contestant, Sample& sample, const KeyVector& keys) const {
    if (sample.decodes >= 0) return;  // a statistic, not a timing: once is enough
    const auto some = std::span(keys).first(std::min<std::size_t>(keys.size(), std::size_t{1} << 18));
    sample.decodes = contestant.decodes_per_query(some).value_or(-1);
  }

  void show(const std::string& operation, const std::string& filter) {
    progress_.show(fmt::format("repetition {}: {} {}", number_ + 1, operation, filter));
  }

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
