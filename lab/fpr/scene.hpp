// One experiment but for the filter: the members, and the queries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "members/member_index.hpp"
#include "trace/recording.hpp"
#include "verbs.hpp"
#include "workloads/workload.hpp"

namespace telescope::lab {

struct Scene {
  std::uint64_t seed = 0;
  double as = 0;
  std::uint64_t slots = 0;
  std::vector<std::uint64_t> members;
  std::unique_ptr<MemberIndex> index;                  // under experiment_hash(seed)
  std::function<std::unique_ptr<Workload>()> queries;  // from the start, for each filter again
};

// Sets up the scenes of a run. What is recorded (generated streams, traces) is recorded once, and must live as long as
// its scenes.
class Stage {
 public:
  explicit Stage(SceneOptions options);  // throws LabError: a trace that cannot be read

  static const std::vector<std::string>& workloads();

  // Returns `as`, or what stands for it if it is empty: what the stream has at --slots, or 1, 10 and 20.
  std::vector<double> as_or_default(std::vector<double> as) const;

  Scene scene(double as, std::uint64_t seed) const;

 private:
  bool recorded() const;
  bool partition() const;
  Scene keyed_scene(double as, std::uint64_t seed) const;
  Scene recorded_scene(double as, std::uint64_t seed) const;

  SceneOptions options_;
  std::optional<Recording> recording_;
};

}  // namespace telescope::lab
