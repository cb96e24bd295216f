#include "figures/rates.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

std::string all_arguments() {
  std::string text;
  for (const PlottedContestant& each : plotted_contestants()) text += (text.empty() ? "" : ",") + each.argument();
  return text;
}

const Panel::Point* point_at(const Panel::Series& series, double x) {
  const auto found = std::find_if(series.points.begin(), series.points.end(), [x](const auto& p) { return p.x == x; });
  return found == series.points.end() ? nullptr : &*found;
}

const std::string& lowest_at(const std::vector<Panel::Series>& series, double x) {
  const Panel::Series* lowest = nullptr;
  for (const Panel::Series& each : series) {
    const Panel::Point* const point = point_at(each, x);
    if (point != nullptr && (lowest == nullptr || point->y < point_at(*lowest, x)->y)) lowest = &each;
  }
  return lowest->name;
}

}  // namespace

std::string PlottedContestant::argument() const {
  return policy == nullptr ? filter : fmt::format("{}:{}", filter, policy);
}

const std::vector<PlottedContestant>& plotted_contestants() {
  static const std::vector<PlottedContestant> all = {
      {"taf", "taf", "evict", "TAF"},
      {"taf-paper", "taf-shift", "reset", "TAF as in the paper"},
      {"exaf", "exaf", "evict", "exAF"},
      {"exaf-paper", "exaf", "reset", "exAF as in the paper"},
      {"cyclic1", "cyclic1", nullptr, "Cyclic ACF, s = 1"},
      {"cyclic2", "cyclic2", nullptr, "Cyclic ACF, s = 2"},
      {"cyclic3", "cyclic3", nullptr, "Cyclic ACF, s = 3"},
      {"swapping", "swapping", nullptr, "Swapping ACF"},
      {"cuckooing", "cuckooing", nullptr, "Cuckooing ACF"},
  };
  return all;
}

const PlottedContestant& plotted_contestant(std::string_view id) {
  for (const PlottedContestant& each : plotted_contestants()) {
    if (each.id == id) return each;
  }
  throw LabError(fmt::format("no contestant {}", id));
}

Job RateExperiment::job(double at, std::string_view filters) const {
  Job made{.arguments = {"fpr"}, .cost = cost};
  made.arguments.insert(made.arguments.end(), workload.begin(), workload.end());
  const std::string chosen = filters == "all" ? all_arguments() : std::string(filters);
  for (const std::string& word : {std::string("--as"), fmt::format("{}", at), std::string("--filters"), chosen,
                                  std::string("--seeds"), fmt::format("{}", seeds)}) {
    made.arguments.push_back(word);
  }
  return made;
}

std::vector<Job> RateExperiment::jobs() const {
  std::vector<Job> made;
  for (const double at : as) made.push_back(job(at));
  return made;
}

double RateExperiment::value(const Results& results, std::string_view id, double at, const char* name) const {
  const PlottedContestant& who = plotted_contestant(id);
  const Row policy = who.policy == nullptr ? Row() : Row(who.policy);
  return results.number(job(at), {{field::kFilter, who.filter}, {field::kPolicy, policy}, {field::kSeed, field::kMean}},
                        name);
}

std::vector<Panel::Series> RateExperiment::series(const Results& results) const {
  std::vector<Panel::Series> made;
  for (const PlottedContestant& who : plotted_contestants()) {
    Panel::Series& series = made.emplace_back();
    series.filter = who.id;
    series.name = who.name;
    for (const double at : as) {
      Panel::Point& point = series.points.emplace_back();
      point.x = at;
      point.y = rate_of(results, who.id, at);
      if (has_interval) point.ci = value(results, who.id, at, field::kFprCi);
      point.command = to_rerun(job(at, who.argument()).command());
    }
  }
  return made;
}

std::string who_is_lowest(const std::vector<Panel::Series>& series) {
  std::string text;
  std::string last;
  double from = 0, to = 0;
  const auto close = [&] {
    if (last.empty()) return;
    text += fmt::format("{}{} at {}", text.empty() ? "Lowest: " : ", ", last, from);
    if (to > from) text += fmt::format(" to {}", to);
  };
  for (const Panel::Point& point : series.front().points) {
    const std::string& name = lowest_at(series, point.x);
    if (name != last) {
      close();
      last = name;
      from = point.x;
    }
    to = point.x;
  }
  close();
  return text + ".";
}

Panel rate_panel(const RateExperiment& experiment, const Results& results) {
  Panel panel;
  panel.x = {"A/S: unique negatives per member", true};
  panel.y = {"false-positive rate", true};
  panel.series = experiment.series(results);
  panel.finding = who_is_lowest(panel.series);
  return panel;
}

}  // namespace telescope::lab
