#include "report/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "io/errors.hpp"
#include "io/write_file.hpp"
#include "report/csv.hpp"
#include "report/page.hpp"
#include "report/styles.hpp"

namespace telescope::lab {
namespace {

// They name files, links and anchors.
void check_ids(const Report& report) {
  std::set<std::string> seen = {"claims"};  // claims.csv
  for (const Panel& panel : report.panels) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
    if (panel.id.empty() || !std::all_of(panel.id.begin(), panel.id.end(), fits)) {
      throw LabError(fmt::format("panel \"{}\": its id must be letters, digits, - and _", panel.id));
    }
    if (!seen.insert(panel.id).second) throw LabError(fmt::format("panel \"{}\": its id is taken", panel.id));
  }
}

}  // namespace

void write_report(const Report& report, const std::filesystem::path& directory) {
  check_ids(report);
  const Styles styles(report);
  for (const Panel& panel : report.panels) {
    write_file(directory / (panel.id + ".svg"), to_svg(plot_of(panel, styles)));
    write_file(directory / (panel.id + ".csv"), csv_of(panel));
  }
  write_file(directory / "claims.csv", csv_of(report.claims));
  write_file(directory / "report.html", page_of(report, styles));  // last: what it links to is there
}

}  // namespace telescope::lab
