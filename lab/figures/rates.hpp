// What the figures of false-positive rates have in common: who takes part, and how a point is measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"
#include "reproduce/job.hpp"

namespace telescope::lab {

// A contestant of the figures, at 11 bits per slot. TAF and exAF take part twice: as the paper has them (its coder; a
// full block is reset) and as the library has them.
struct PlottedContestant {
  const char* id;      // in the report
  const char* filter;  // of `fpr`
  const char* policy;  // null: has none
  const char* name;

  std::string argument() const;
};

const std::vector<PlottedContestant>& plotted_contestants();
const PlottedContestant& plotted_contestant(std::string_view id);

// One job measures all contestants at one A/S.
struct RateExperiment {
  std::vector<std::string> workload;  // arguments: --workload and what goes with it
  std::vector<double> as;
  unsigned seeds;
  double cost;                     // of a job
  const char* rate = field::kFpr;  // which of the row's fields is shown
  bool has_interval = true;        // whether fpr_ci is about it

  Job job(double at) const { return job(at, "all"); }
  std::vector<Job> jobs() const;
  Job job(double at, std::string_view filters) const;

  double rate_of(const Results& results, std::string_view id, double at) const { return value(results, id, at, rate); }
  double value(const Results& results, std::string_view id, double at, const char* name) const;

  std::vector<Panel::Series> series(const Results& results) const;
};

// The experiments behind the figures; claims read the same results.
RateExperiment active_set_experiment(const Setting& setting);
RateExperiment power_law_experiment(const Setting& setting);
RateExperiment flows_experiment(const Setting& setting);
RateExperiment adversary_experiment(const Setting& setting);

// Returns a sentence: "Lowest: cuckooing at 1 to 5, TAF at 10 to 30."
std::string who_is_lowest(const std::vector<Panel::Series>& series);

// Returns a panel with what the panels of rates have in common: axes, series, and who is lowest where.
Panel rate_panel(const RateExperiment& experiment, const Results& results);

}  // namespace telescope::lab
