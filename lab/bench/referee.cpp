#include "referee.hpp"

#include <fmt/core.h>

#include <cmath>

#include "../errors.hpp"

namespace telescope::lab {

Scores empty_scores(const std::vector<std::unique_ptr<Entry>>& entries) {
  Scores scores;
  scores.memory.filter = "memory";
  for (const auto& entry : entries) scores.filters.push_back({entry->name(), entry->ours(), 0, {}});
  return scores;
}

void Referee::insert(Contestant& contestant, Score& score, std::span<const std::uint64_t> keys) const {
  const Lap lap(counters_);
  contestant.fill(keys);
  record(score, "insert", keys.size(), lap.stop());
}

void Referee::insert_batch(Contestant& contestant, Score& score, std::span<const std::uint64_t> keys) const {
  const Lap lap(counters_);
  if (contestant.fill_batch(keys)) record(score, "insert_batch", keys.size(), lap.stop());
}

void Referee::query(Contestant& contestant, Score& score, const std::string& operation,
                    std::span<const std::uint64_t> keys) const {
  const Lap lap(counters_);
  const std::uint64_t hits = contestant.count(keys);
  Sample& sample = record(score, operation, keys.size(), lap.stop());
  sample.queries += keys.size();
  sample.hits += hits;
}

void Referee::query_members(Contestant& contestant, Score& score, const std::string& operation,
                            std::span<const std::uint64_t> keys) const {
  query(contestant, score, operation, keys);
  const Sample& sample = score.operations[operation];
  if (score.ours && sample.hits != sample.queries) {
    throw LawBroken(fmt::format("{} lost {} members", score.filter, sample.queries - sample.hits));
  }
}

void Referee::query_batch(Contestant& contestant, Score& score, const std::string& operation,
                          std::span<const std::uint64_t> keys) const {
  const Lap lap(counters_);
  const std::optional<std::uint64_t> hits = contestant.count_batch(keys);
  const Cost cost = lap.stop();
  if (!hits) return;
  Sample& sample = record(score, operation, keys.size(), cost);
  sample.queries += keys.size();
  sample.hits += *hits;
}

void Referee::adapt(Contestant& contestant, Score& score, const Negatives& negatives,
                    const MemberIndex& members) const {
  const AdaptCost adapted = contestant.adapt_on(negatives, members, counters_);
  if (adapted.adapts > 0) record(score, "adapt", adapted.adapts, adapted.cost);
}

void Referee::read_single(const MemoryArray& memory, Score& score, const std::string& operation,
                          std::uint64_t reads) const {
  const Lap lap(counters_);
  consume(memory.read_single(reads, repetition_));
  record(score, operation, reads, lap.stop());
}

void Referee::read_batch(const MemoryArray& memory, Score& score, const std::string& operation,
                         std::uint64_t reads) const {
  const Lap lap(counters_);
  consume(memory.read_batch(reads, repetition_));
  record(score, operation, reads, lap.stop());
}

Sample& Referee::record(Score& score, const std::string& operation, std::uint64_t count, const Cost& cost) const {
  const auto operations = static_cast<double>(count);
  Sample& sample = score.operations[operation];
  sample.mops.resize(repetition_, std::nan(""));
  sample.mops.push_back(operations / cost.seconds / 1e6);
  sample.operations += operations;
  sample.counts += cost.counts;
  return sample;
}

}  // namespace telescope::lab
