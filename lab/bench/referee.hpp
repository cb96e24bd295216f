// Times one turn at a time and books it in a score.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/score.hpp"
#include "bench/turns.hpp"
#include "contestants/contestant.hpp"
#include "measure/lap.hpp"
#include "measure/memory_array.hpp"

namespace telescope::lab {

// For each entry a score, still empty.
Scores empty_scores(const std::vector<std::unique_ptr<Entry>>& entries);

class Referee {
 public:
  Referee(const Counters& counters, unsigned repetition) : counters_(counters), repetition_(repetition) {}

  void insert(Contestant& contestant, Score& score, const Turn& turn) const;
  void insert_batch(Contestant& contestant, Score& score, const Turn& turn) const;
  void query(Contestant& contestant, Score& score, const std::string& operation, const Turn& turn) const;
  // Throws LawBroken if one of ours loses a member.
  void query_members(Contestant& contestant, Score& score, const std::string& operation, const Turn& turn) const;
  void query_batch(Contestant& contestant, Score& score, const std::string& operation, const Turn& turn) const;
  void adapt(Contestant& contestant, Score& score, const Negatives& negatives, const MemberIndex& members) const;
  // As many reads as the turn has keys. Its keys also choose the lines, so that no turn reads those of another.
  void read_single(const MemoryArray& memory, Score& score, const std::string& operation, const Turn& turn) const;
  void read_batch(const MemoryArray& memory, Score& score, const std::string& operation, const Turn& turn) const;

  // Adds to what this repetition has booked so far.
  Sample& record(Score& score, const std::string& operation, std::uint64_t count, const Cost& cost) const;

 private:
  template <class Play>
  Cost time(Play play) const {
    const Lap lap(counters_);
    play();
    return lap.stop();
  }

  const Counters& counters_;
  unsigned repetition_;
};

}  // namespace telescope::lab
