#include "interleaved.hpp"

#include <fmt/core.h>

#include <cmath>

#include "../errors.hpp"
#include "../stopwatch.hpp"

namespace telescope::lab {
namespace {

using KeyVector = std::vector<std::uint64_t>;

KeyVector make_keys(const Keys& keys, std::uint64_t first, std::uint64_t count) {
  KeyVector made(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = keys[first + i];
  return made;
}

// The keys of one repetition. Members come first; negatives are fresh for each operation.
struct KeySets {
  KeySets(const RunOptions& options, std::uint64_t seed)
      : keys(seed),
        members(make_keys(keys, 0, static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots)))),
        fresh(make_keys(keys, members.size(), options.probes)),
        fresh_after(make_keys(keys, members.size() + options.probes, options.probes)),
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
             std::vector<Score>& scores, Progress& progress)
      : entries_(entries),
        number_(number),
        seed_(options.seed + number),
        sets_(options, seed_),
        scores_(scores),
        progress_(progress) {
    for (const auto& entry : entries) contestants_.push_back(entry->make(options.slots, seed_));
  }

  void run() {
    each("insert", [&](std::size_t i) { insert(i); });
    each("negative", [&](std::size_t i) { query(i, "negative", sets_.fresh); });
    each("positive", [&](std::size_t i) { query_members(i, "positive"); });
    each("negative_batch", [&](std::size_t i) { query_batch(i, "negative_batch", sets_.fresh); });
    const auto members = index_members(sets_.members, seed_);
    each("adapt", [&](std::size_t i) { adapt(i, *members); });
    each("negative_adapted", [&](std::size_t i) { query(i, "negative_adapted", sets_.fresh_after); });
    each("positive_adapted", [&](std::size_t i) { query_members(i, "positive_adapted"); });
    each("negative_batch_adapted", [&](std::size_t i) { query_batch(i, "negative_batch_adapted", sets_.fresh_after); });
    for (std::size_t i = 0; i < contestants_.size(); ++i) scores_[i].bits_per_slot = contestants_[i]->bits_per_slot();
  }

 private:
  // Every contestant once, starting one further on in each repetition.
  template <class Operation>
  void each(const char* name, Operation operation) {
    for (std::size_t turn = 0; turn < contestants_.size(); ++turn) {
      const std::size_t i = (turn + number_) % contestants_.size();
      progress_.show(fmt::format("repetition {}: {} {}", number_ + 1, name, entries_[i]->name()));
      operation(i);
    }
  }

  void insert(std::size_t i) {
    const Stopwatch watch;
    contestants_[i]->fill(sets_.members);
    record(i, "insert", static_cast<double>(sets_.members.size()), watch.seconds());
  }

  void query(std::size_t i, const char* operation, const KeyVector& keys) {
    const Stopwatch watch;
    const std::uint64_t hits = contestants_[i]->count(keys);
    Sample& sample = record(i, operation, static_cast<double>(keys.size()), watch.seconds());
    sample.queries += keys.size();
    sample.hits += hits;
    count_decodes(i, sample, keys);
  }

  void query_members(std::size_t i, const char* operation) {
    query(i, operation, sets_.present);
    const Sample& sample = scores_[i].operations[operation];
    if (scores_[i].ours && sample.hits != sample.queries) {
      throw LawBroken(fmt::format("{} lost {} members", scores_[i].filter, sample.queries - sample.hits));
    }
  }

  void query_batch(std::size_t i, const char* operation, const KeyVector& keys) {
    const Stopwatch watch;
    const std::optional<std::uint64_t> hits = contestants_[i]->count_batch(keys);
    if (!hits) return;
    Sample& sample = record(i, operation, static_cast<double>(keys.size()), watch.seconds());
    sample.queries += keys.size();
    sample.hits += *hits;
  }

  void adapt(std::size_t i, const MemberIndex& members) {
    const AdaptCost cost = contestants_[i]->adapt_on(sets_.learned, members);
    if (cost.adapts > 0) record(i, "adapt", static_cast<double>(cost.adapts), cost.seconds);
  }

  void count_decodes(std::size_t i, Sample& sample, const KeyVector& keys) {
    if (sample.decodes >= 0) return;  // a statistic, not a timing: once is enough
    const auto some = std::span(keys).first(std::min<std::size_t>(keys.size(), std::size_t{1} << 18));
    sample.decodes = contestants_[i]->decodes_per_query(some).value_or(-1);
  }

  Sample& record(std::size_t i, const char* operation, double count, double seconds) {
    Sample& sample = scores_[i].operations[operation];
    sample.mops.resize(number_, std::nan(""));
    sample.mops.push_back(count / seconds / 1e6);
    return sample;
  }

  const std::vector<std::unique_ptr<Entry>>& entries_;
  unsigned number_;
  std::uint64_t seed_;
  KeySets sets_;
  std::vector<std::unique_ptr<Contestant>> contestants_;
  std::vector<Score>& scores_;
  Progress& progress_;
};

}  // namespace

std::vector<Score> run_interleaved(const std::vector<std::unique_ptr<Entry>>& entries, const RunOptions& options,
                                   Progress& progress) {
  std::vector<Score> scores;
  for (const auto& entry : entries) scores.push_back({entry->name(), entry->ours(), 0, {}});
  for (unsigned number = 0; number < options.reps; ++number) {
    Repetition(entries, options, number, scores, progress).run();
  }
  return scores;
}

}  // namespace telescope::lab
