// A random walk over one filter and its twin.
#pragma once

#include <cstdint>
#include <string>

#include "stress/config.hpp"
#include "stress/twin.hpp"

namespace telescope::lab {

struct StressReport {
  std::uint64_t ops = 0;
  std::uint64_t inserts = 0;
  std::uint64_t refused = 0;  // the filter was full
  std::uint64_t erases = 0;
  std::uint64_t queries = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t adapts = 0;
  std::uint64_t still_positive = 0;  // after an adapt: no letter separates, or an eviction took it back
  OverflowReport overflow;
  std::uint64_t checks = 0;
  std::uint64_t false_negatives = 0;
  std::uint64_t violations = 0;
  std::string first_violation;

  bool clean() const { return false_negatives == 0 && violations == 0; }
};

class StressWalk {
 public:
  explicit StressWalk(const StressConfig& config);
  StressReport run();

 private:
  void fill(std::uint64_t members);
  std::uint64_t largest_target() const;
  void step();
  void change_size();
  void insert(const Hash& hash);
  void erase_some();
  void query_member();
  void query_negative(const Hash& hash);
  void adapt(const Hash& hash);
  void misuse();
  void checkpoint();
  void violate(const std::string& what);

  StressConfig config_;
  Random random_;
  AnyFilter filter_;
  Twin twin_;
  StressReport report_;
  std::uint64_t target_ = 0;  // members that inserts and erases drift towards; moves now and then
};

}  // namespace telescope::lab
