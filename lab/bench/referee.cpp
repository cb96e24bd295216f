#include "bench/referee.hpp"

#include <fmt/core.h>

#include "io/errors.hpp"
#include "measure/clocks.hpp"

namespace telescope::lab {
namespace {

constexpr std::uint64_t kAdaptChunk = 1u << 16;  // keys made, queried and adapted on at a time

void check_all_in(const ScoredContestant& scored, std::uint64_t inserted, std::size_t keys) {
  if (inserted != keys) throw LabError(fmt::format("{} refused a key: take a lower --loads", scored.score->filter));
}

template <class Play>
double time(Play play) {
  const Stopwatch watch;
  play();
  return watch.seconds();
}

bool in_batches(const std::string& operation) { return operation.find("batch") != std::string::npos; }

}  // namespace

void Referee::insert(const ScoredContestant& scored, const Turn& turn) const {
  std::uint64_t inserted = scored.contestant->insert(turn.warm_up);
  const double seconds = time([&] { inserted += scored.contestant->insert(turn.timed); });
  check_all_in(scored, inserted, turn.size());
  book(*scored.score, "insert", turn.timed.size(), seconds);
}

void Referee::insert_batch(const ScoredContestant& scored, const Turn& turn) const {
  const auto warm = scored.contestant->insert_batch(turn.warm_up);
  if (!warm) return;
  std::uint64_t inserted = *warm;
  const double seconds = time([&] { inserted += *scored.contestant->insert_batch(turn.timed); });
  check_all_in(scored, inserted, turn.size());
  book(*scored.score, "insert_batch", turn.timed.size(), seconds);
}

void Referee::query(const ScoredContestant& scored, const std::string& operation, const Turn& turn,
                    bool members) const {
  std::uint64_t hits = scored.contestant->count(turn.warm_up);
  const double seconds = time([&] { hits += scored.contestant->count(turn.timed); });
  Sample& sample = book(*scored.score, operation, turn.timed.size(), seconds);
  sample.queries += turn.size();
  sample.hits += hits;
  if (members && !scored.score->peer && sample.hits != sample.queries) {
    throw LawBroken(fmt::format("{} lost {} members", scored.score->filter, sample.queries - sample.hits));
  }
}

void Referee::query_batch(const ScoredContestant& scored, const std::string& operation, const Turn& turn) const {
  const auto warm = scored.contestant->count_batch(turn.warm_up);
  if (!warm) return;
  std::uint64_t hits = *warm;
  const double seconds = time([&] { hits += *scored.contestant->count_batch(turn.timed); });
  Sample& sample = book(*scored.score, operation, turn.timed.size(), seconds);
  sample.queries += turn.size();
  sample.hits += hits;
}

void Referee::adapt(const ScoredContestant& scored, const Keys& keys, std::uint64_t first, std::uint64_t count,
                    const MemberIndex& members) const {
  if (!scored.contestant->adapts()) return;
  double seconds = 0;
  std::uint64_t adapts = 0;
  for (std::uint64_t done = 0; done < count; done += kAdaptChunk) {
    const auto positives =
        scored.contestant->positives_of(keys.range(first + done, std::min(kAdaptChunk, count - done)));
    seconds += scored.contestant->adapt(positives, members);
    adapts += positives.size();
  }
  if (adapts > 0) book(*scored.score, "adapt", adapts, seconds);
}

void Referee::read(const MemoryArray& memory, Score& score, const std::string& operation, const Turn& turn) const {
  const auto read = [&](std::size_t reads, std::uint64_t seed) {
    consume(in_batches(operation) ? memory.read_batch(reads, seed) : memory.read_single(reads, seed));
  };
  const std::uint64_t seed = turn.timed.front();
  read(turn.warm_up.size(), ~seed);
  book(score, operation, turn.timed.size(), time([&] { read(turn.timed.size(), seed); }));
}

Sample& Referee::book(Score& score, const std::string& operation, std::uint64_t count, double seconds) const {
  Sample& sample = score.operations[operation];
  if (sample.booked.size() <= repetition_) sample.booked.resize(repetition_ + 1);
  sample.booked[repetition_].operations += static_cast<double>(count);
  sample.booked[repetition_].seconds += seconds;
  return sample;
}

}  // namespace telescope::lab
