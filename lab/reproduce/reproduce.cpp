// telescope-lab reproduce
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "claims/claim.hpp"
#include "figures/figure.hpp"
#include "io/errors.hpp"
#include "io/write_file.hpp"
#include "measure/clocks.hpp"
#include "report/report.hpp"
#include "reproduce/journal.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

struct Chosen {
  std::vector<Figure> figures;
  std::vector<Claim> claims;
};

template <class Things>
std::vector<std::string> ids(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.id);
  return names;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Chosen choose(const std::vector<std::string>& what) {
  const std::vector<Figure> figures = all_figures();
  const std::vector<Claim> claims = all_claims();
  for (const std::string& word : what) {
    if (contains({"all", "figures", "claims"}, word) || contains(ids(figures), word) || contains(ids(claims), word))
      continue;
    throw LabError(fmt::format("nothing is called {}: choose all, figures, claims, a figure ({}) or a claim ({})", word,
                               fmt::join(ids(figures), ", "), fmt::join(ids(claims), ", ")));
  }
  Chosen chosen;
  const auto wanted = [&](const char* kind, const std::string& id) {
    return contains(what, "all") || contains(what, kind) || contains(what, id);
  };
  for (const Figure& figure : figures) {
    if (wanted("figures", figure.id)) chosen.figures.push_back(figure);
  }
  for (const Claim& claim : claims) {
    if (wanted("claims", claim.id)) chosen.claims.push_back(claim);
  }
  return chosen;
}

std::vector<Job> jobs_of(const Chosen& chosen, const Setting& setting) {
  std::vector<Job> jobs;
  const auto take = [&](std::vector<Job> more) { std::move(more.begin(), more.end(), std::back_inserter(jobs)); };
  for (const Figure& figure : chosen.figures) take(figure.jobs(setting));
  for (const Claim& claim : chosen.claims) take(claim.jobs(setting));
  return jobs;
}

Report report_of(const Chosen& chosen, const Setting& setting, const Results& results, Row manifest) {
  Report report;
  report.manifest = std::move(manifest);
  for (const Figure& figure : chosen.figures) {
    for (Panel& panel : figure.panels(setting, results)) report.panels.push_back(std::move(panel));
  }
  for (const Claim& claim : chosen.claims) report.claims.push_back(result_of(claim, setting, results));
  return report;
}

void print(const Report& report, const std::filesystem::path& directory, double seconds) {
  for (const Panel& panel : report.panels) fmt::print("{:<12} {}\n", panel.id, panel.finding);
  for (const ClaimResult& claim : report.claims)
    fmt::print("{:<8} {:<28} {}\n", in_words(claim.verdict), claim.id, claim.ours);
  fmt::print("{} panels and {} claims in {:.0f} s: open {}\n", report.panels.size(), report.claims.size(), seconds,
             (directory / "report.html").string());
}

void list() {
  fmt::print("figures: {}\n", fmt::join(ids(all_figures()), ", "));
  for (const Claim& claim : all_claims()) fmt::print("{:<28} {}\n", claim.id, claim.statement);
}

}  // namespace

void reproduce(const ReproduceOptions& options) {
  if (options.list) return list();
  const WallClock clock;
  Setting setting;
  setting.scale = options.scale == "paper" ? Scale::paper : Scale::quick;
  for (const std::string& file : options.traces) setting.traces.push_back(std::filesystem::absolute(file).string());
  const unsigned at_once = options.at_once > 0 ? options.at_once : std::max(1u, std::thread::hardware_concurrency());
  const Chosen chosen = choose(options.what);
  const std::filesystem::path directory = options.out.empty() ? "report-" + options.scale : options.out;
  Row manifest = make_manifest(setting);
  Journal journal(directory, manifest);
  if (journal.was_another()) {
    fmt::print(stderr, "{} has results of another build: kept aside, and measured anew\n", directory.string());
  }
  run_jobs(jobs_of(chosen, setting), at_once, journal);
  journal.write_points();
  manifest["command"] = to_rerun(fmt::format("reproduce {} --scale {}", fmt::join(options.what, " "), options.scale));
  write_file(directory / "manifest.json", manifest.dump(2) + '\n');
  const Report report = report_of(chosen, setting, journal.results(), std::move(manifest));
  write_report(report, directory);
  print(report, directory, clock.seconds());
}

}  // namespace telescope::lab
