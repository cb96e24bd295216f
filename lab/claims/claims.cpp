#include "claims/claim.hpp"

namespace telescope::lab {

std::vector<Claim> all_claims() {
  std::vector<Claim> all;
  for (auto* const part : {introduction_claims, analysis_claims, rate_claims, speed_claims}) {
    for (Claim& claim : part()) all.push_back(std::move(claim));
  }
  return all;
}

ClaimResult result_of(const Claim& claim, const Setting& setting, const Results& results) {
  const std::vector<Job> jobs = claim.jobs(setting);
  Finding found = claim.judge(setting, results);
  return {.id = claim.id,
          .statement = claim.statement,
          .section = claim.section,
          .paper = claim.paper,
          .ours = std::move(found.ours),
          .verdict = found.verdict,
          .why = std::move(found.why),
          .command = to_rerun(jobs.size() == 1 ? jobs.front().command() : "reproduce " + claim.id)};
}

}  // namespace telescope::lab
