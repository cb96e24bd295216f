// Times one turn of a contestant at a time, and books it in its score.
#pragma once

#include <string>

#include "bench/score.hpp"
#include "bench/turns.hpp"
#include "contestants/contestant.hpp"
#include "measure/memory_array.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {

// A contestant of one repetition, and what it is booked under.
struct ScoredContestant {
  std::unique_ptr<Contestant> contestant;
  Score* score;
};

class Referee {
 public:
  explicit Referee(unsigned repetition) : repetition_(repetition) {}

  // Throw LabError if a key is refused.
  void insert(const ScoredContestant& scored, const Turn& turn) const;
  void insert_batch(const ScoredContestant& scored, const Turn& turn) const;
  // Throw LawBroken if all keys are members and one of them is not found, unless the contestant is a peer.
  void query(const ScoredContestant& scored, const std::string& operation, const Turn& turn, bool members) const;
  void query_batch(const ScoredContestant& scored, const std::string& operation, const Turn& turn) const;
  // Adapts on the false positives among `count` keys, which are no members.
  void adapt(const ScoredContestant& scored, const Keys& keys, std::uint64_t first, std::uint64_t count,
             const MemberIndex& members) const;
  // Reads as many lines as the turn has keys. The keys also choose the lines, so that no turn reads those of another.
  void read(const MemoryArray& memory, Score& score, const std::string& operation, const Turn& turn) const;

 private:
  // Adds to what this repetition has booked so far.
  Sample& book(Score& score, const std::string& operation, std::uint64_t count, double seconds) const;

  unsigned repetition_;
};

}  // namespace telescope::lab
