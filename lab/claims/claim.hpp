// The paper's statements, each with what decides it: jobs to run, and a judge of their results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "reproduce/job.hpp"

namespace telescope::lab {

inline constexpr double kEps = 0.95 / 256;  // at load .95 with remainders of 8 bits

struct Finding {
  Verdict verdict;
  std::string ours;
  std::string why = "";
};

struct Claim {
  std::string id;         // on the command line
  std::string section;    // of the paper
  std::string statement;  // in few words
  std::string paper;      // its figure
  std::function<std::vector<Job>(const Setting&)> jobs;
  std::function<Finding(const Setting&, const Results&)> judge;
};

// Return the claims of a part of the paper, in its order.
std::vector<Claim> introduction_claims();
std::vector<Claim> analysis_claims();
std::vector<Claim> rate_claims();
std::vector<Claim> speed_claims();

std::vector<Claim> all_claims();

ClaimResult result_of(const Claim& claim, const Setting& setting, const Results& results);

}  // namespace telescope::lab
