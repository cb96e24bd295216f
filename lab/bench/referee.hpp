// Times one operation at a time and books it in a score.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../lap.hpp"
#include "../memory_array.hpp"
#include "contestant.hpp"
#include "score.hpp"

namespace telescope::lab {

// For each entry a score, still empty.
Scores empty_scores(const std::vector<std::unique_ptr<Entry>>& entries);

class Referee {
 public:
  Referee(const Counters& counters, unsigned repetition) : counters_(counters), repetition_(repetition) {}

  void insert(Contestant& contestant, Score& score, std::span<const std::uint64_t> keys) const;
  void insert_batch(Contestant& contestant, Score& score, std::span<const std::uint64_t> keys) const;
  void query(Contestant& contestant, Score& score, const std::string& operation,
             std::span<const std::uint64_t> keys) const;
  // Throws LawBroken if one of ours loses a member.
  void query_members(Contestant& contestant, Score& score, const std::string& operation,
                     std::span<const std::uint64_t> keys) const;
  void query_batch(Contestant& contestant, Score& score, const std::string& operation,
                   std::span<const std::uint64_t> keys) const;
  void adapt(Contestant& contestant, Score& score, const Negatives& negatives, const MemberIndex& members) const;
  void read_single(const MemoryArray& memory, Score& score, const std::string& operation, std::uint64_t reads) const;
  void read_batch(const MemoryArray& memory, Score& score, const std::string& operation, std::uint64_t reads) const;

  Sample& record(Score& score, const std::string& operation, std::uint64_t count, const Cost& cost) const;

 private:
  const Counters& counters_;
  unsigned repetition_;
};

}  // namespace telescope::lab
