#include "report/csv.hpp"

#include <fmt/core.h>

#include <initializer_list>

#include "report/report.hpp"

namespace telescope::lab {
namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string field(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string line(std::initializer_list<std::string> fields) {
  std::string out;
  for (const std::string& each : fields) out += each + ',';
  out.back() = '\n';
  return out;
}

}  // namespace

std::string csv_of(const Panel& panel) {
  std::string out = "filter,name,x,y,ci,command\n";
  for (const Panel::Series& series : panel.series) {
    for (const Panel::Point& point : series.points) {
      out += line({field(series.filter), field(series.name), field(point.x), field(point.y), field(point.ci),
                   field(point.command)});
    }
  }
  return out;
}

std::string csv_of(const std::vector<ClaimResult>& claims) {
  std::string out = "id,statement,section,paper,ours,verdict,why,command\n";
  for (const ClaimResult& claim : claims) {
    out += line({field(claim.id), field(claim.statement), field(claim.section), field(claim.paper), field(claim.ours),
                 in_words(claim.verdict), field(claim.why), field(claim.command)});
  }
  return out;
}

}  // namespace telescope::lab
