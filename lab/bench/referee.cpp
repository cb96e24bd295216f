#include "bench/referee.hpp"

#include <fmt/core.h>

#include "io/errors.hpp"

namespace telescope::lab {

Scores empty_scores(const std::vector<std::unique_ptr<Entry>>& entries) {
  Scores scores;
  scores.memory.filter = "memory";
  for (const auto& entry : entries) scores.filters.push_back({entry->name(), entry->ours(), 0, {}});
  return scores;
}

void Referee::insert(Contestant& contestant, Score& score, const Turn& turn) const {
  contestant.fill(turn.warm_up);
  record(score, "insert", turn.timed.size(), time([&] { contestant.fill(turn.timed); }));
}

void Referee::insert_batch(Contestant& contestant, Score& score, const Turn& turn) const {
  if (!contestant.fill_batch(turn.warm_up)) return;
  record(score, "insert_batch", turn.timed.size(), time([&] { contestant.fill_batch(turn.timed); }));
}

void Referee::query(Contestant& contestant, Score& score, const std::string& operation, const Turn& turn) const {
  std::uint64_t hits = contestant.count(turn.warm_up);
  const Cost cost = time([&] { hits += contestant.count(turn.timed); });
  Sample& sample = record(score, operation, turn.timed.size(), cost);
  sample.queries += turn.size();
  sample.hits += hits;
}

void Referee::query_members(Contestant& contestant, Score& score, const std::string& operation,
                            const Turn& turn) const {
  query(contestant, score, operation, turn);
  const Sample& sample = score.operations[operation];
  if (score.ours && sample.hits != sample.queries) {
    throw LawBroken(fmt::format("{} lost {} members", score.filter, sample.queries - sample.hits));
  }
}

void Referee::query_batch(Contestant& contestant, Score& score, const std::string& operation, const Turn& turn) const {
  const std::optional<std::uint64_t> warm_hits = contestant.count_batch(turn.warm_up);
  if (!warm_hits) return;
  std::uint64_t hits = *warm_hits;
  const Cost cost = time([&] { hits += *contestant.count_batch(turn.timed); });
  Sample& sample = record(score, operation, turn.timed.size(), cost);
  sample.queries += turn.size();
  sample.hits += hits;
}

void Referee::adapt(Contestant& contestant, Score& score, const Negatives& negatives,
                    const MemberIndex& members) const {
  const AdaptCost adapted = contestant.adapt_on(negatives, members, counters_);
  if (adapted.adapts > 0) record(score, "adapt", adapted.adapts, adapted.cost);
}

void Referee::read_single(const MemoryArray& memory, Score& score, const std::string& operation,
                          const Turn& turn) const {
  const std::uint64_t seed = turn.timed.front();
  consume(memory.read_single(turn.warm_up.size(), ~seed));
  record(score, operation, turn.timed.size(), time([&] { consume(memory.read_single(turn.timed.size(), seed)); }));
}

void Referee::read_batch(const MemoryArray& memory, Score& score, const std::string& operation,
                         const Turn& turn) const {
  const std::uint64_t seed = turn.timed.front();
  consume(memory.read_batch(turn.warm_up.size(), ~seed));
  record(score, operation, turn.timed.size(), time([&] { consume(memory.read_batch(turn.timed.size(), seed)); }));
}

Sample& Referee::record(Score& score, const std::string& operation, std::uint64_t count, const Cost& cost) const {
  const auto operations = static_cast<double>(count);
  Sample& sample = score.operations[operation];
  if (sample.booked.size() <= repetition_) sample.booked.resize(repetition_ + 1);
  sample.booked[repetition_].operations += operations;
  sample.booked[repetition_].seconds += cost.seconds;
  sample.operations += operations;
  sample.counts += cost.counts;
  return sample;
}

}  // namespace telescope::lab
