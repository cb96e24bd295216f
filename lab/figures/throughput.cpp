// Figure "thruput": inserts and queries per second against load, 2^24 slots, queries of the active set.
//
// The paper: "the TAF achieves similar performance in inserts to the other filters, though it lags behind in queries at
// high throughput. The exAF performs significantly better for queries, likely due to skipping decodes." "The uTAF is
// noticeably faster than the TAF, but is similar in performance to exAF."
//
// The active set has fewer keys than the filter has blocks, so hardly any code is touched here, in the paper or now;
// rates of filters that have adapted come with `adapt`, and the claims take those.
#include <fmt/core.h>

#include <map>

#include "figures/figure.hpp"

namespace telescope::lab {

Job throughput_job(const Setting& setting) {
  return job(
      fmt::format("bench speed --filters taf,exaf,utaf,rsqf,vacuum --slots {} --loads .1,.2,.3,.4,.5,.6,.7,.8,.9,.95 "
                  "--operations insert,negative --queries active --probes {} --reps {}",
                  1 << 24, 1 << 20, setting.seeds()),
      14.0 * setting.seeds(), true);
}

namespace {

std::vector<Job> jobs(const Setting& setting) { return {throughput_job(setting)}; }

const std::map<std::string, std::string>& names() {
  static const std::map<std::string, std::string> all = {
      {"taf", "TAF"}, {"exaf", "exAF"}, {"utaf", "uTAF"}, {"rsqf", "RSQF"}, {"vacuum", "Vacuum filter"}};
  return all;
}

std::vector<Panel::Series> series_of(const Setting& setting, const Results& results, const std::string& operation) {
  const Job job = throughput_job(setting);
  std::vector<Panel::Series> made;
  for (const char* const filter : {"taf", "exaf", "utaf", "rsqf", "vacuum"}) {
    Panel::Series& series = made.emplace_back();
    series.filter = filter;
    series.name = names().at(filter);
    for (const Row& row : results.rows(job)) {
      if (row[field::kFilter] != filter || row[field::kOperation] != operation) continue;
      const Row& ci = row[field::kMopsCi];
      series.points.push_back({row[field::kLoad], row[field::kMops], ci.is_number() ? ci.get<double>() : std::nan(""),
                               to_rerun(job.command())});
    }
  }
  return made;
}

std::string ratio_at_the_end(const std::vector<Panel::Series>& series) {
  std::string text = fmt::format("At load {}, TAF has ", series.front().points.back().x);
  for (std::size_t i = 1; i < series.size(); ++i) {
    text += fmt::format("{}{:.2f} of {}'s rate", i == 1 ? "" : ", ",
                        series.front().points.back().y / series[i].points.back().y, series[i].name);
  }
  return text + ".";
}

Panel panel_of(const Setting& setting, const Results& results, const std::string& operation) {
  Panel panel;
  panel.x = {field::kLoad, false};
  panel.series = series_of(setting, results, operation);
  panel.finding = ratio_at_the_end(panel.series);
  return panel;
}

std::vector<Panel> panels(const Setting& setting, const Results& results) {
  Panel inserts = panel_of(setting, results, "insert");
  inserts.id = "inserts";
  inserts.figure = "thruput, left";
  inserts.title = "Inserts, 2^24 slots";
  inserts.claim = "TAF's inserts are similar to the other filters'.";
  inserts.y = {"million inserts per second", false};
  Panel queries = panel_of(setting, results, "negative");
  queries.id = "queries";
  queries.figure = "thruput, right";
  queries.title = "Queries of the active set, 2^24 slots";
  queries.claim =
      "TAF lags behind in queries. exAF is significantly better, since it skips decodings; uTAF is noticeably faster "
      "than "
      "TAF, and similar to exAF.";
  queries.y = {"million queries per second", false};
  return {inserts, queries};
}

}  // namespace

Figure throughput_figure() { return {"throughput", jobs, panels}; }

}  // namespace telescope::lab
