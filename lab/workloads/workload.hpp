// What is asked of a filter, query by query.
#pragma once

#include <cstdint>
#include <optional>

namespace telescope::lab {

struct Query {
  std::uint64_t key;
  bool repeat;  // the key was asked before
};

// Laws (tests/lab/lab_workloads_test.cpp):
//   no query is for a member: every positive answer is false;
//   `repeat` is exact;
//   the same arguments and the same answers give the same queries.
// One virtual call for each query: for experiments on rates, never in a timed loop.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::optional<Query> next() = 0;
  // After each query, before the next: what the filter answered. Who attacks listens.
  virtual void answered(bool) {}

  // How an attack in rounds ended.
  struct LastRound {
    double fpr;   // in the last round
    double held;  // queries that are left, per member
  };
  virtual std::optional<LastRound> last_round() const { return std::nullopt; }
};

}  // namespace telescope::lab
