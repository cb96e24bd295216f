// Reports: quoting and escaping, looks of filters, and files that are whole or absent.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/errors.hpp"
#include "io/markup.hpp"
#include "io/write_file.hpp"
#include "plot/plot.hpp"
#include "report/csv.hpp"
#include "report/page.hpp"
#include "report/report.hpp"
#include "report/styles.hpp"
#include "support/directory.hpp"

namespace telescope::lab {
namespace {

using testing::Directory;

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// --- text

const std::string kHostile = "</script><script>alert(\"1\")</script> & 'x' {{script}}";

TEST(Text, Escaped) {
  EXPECT_EQ(escaped("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escaped("ε ± 1\n\t"), "ε ± 1\n\t");
  EXPECT_EQ(escaped(std::string("\x01|\xff|\0", 5)), "\ufffd|\ufffd|\ufffd");
}

Report hostile_report() {
  Report report;
  report.manifest = {{kHostile, kHostile}, {"seeds", {1, 2}}, {"scale", .5}};
  Panel panel;
  panel.id = "p-1";
  panel.figure = panel.title = panel.claim = panel.finding = panel.x.label = panel.y.label = kHostile;
  panel.series.push_back({kHostile, kHostile, {{1, 2, kNan, kHostile}}});
  report.panels.push_back(panel);
  report.claims.push_back({kHostile, kHostile, kHostile, kHostile, kHostile, Verdict::differs, kHostile, kHostile});
  return report;
}

TEST(Text, NoDataBecomesMarkup) {
  const Report report = hostile_report();
  const Styles styles(report);
  const std::string page = page_of(report, styles);
  EXPECT_EQ(count(page, "<script"), 1U);
  EXPECT_EQ(count(page, "</script"), 1U);
  EXPECT_EQ(count(page, "alert(\""), 0U);
  EXPECT_GE(count(page, "{{script}}"), 10U) << "data is filled in once and not looked at again";
  const std::string svg = to_svg(plot_of(report.panels.front(), styles));
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_GE(count(svg, "&lt;script&gt;"), 4U);
}

TEST(Text, PageAsksForNothing) {
  Report report = hostile_report();
  const std::string page = page_of(report, Styles(report));
  EXPECT_EQ(count(page, "default-src 'none'"), 1U);
  EXPECT_EQ(count(page, "http://") - count(page, "http://www.w3.org/2000/svg"), 0U);
  EXPECT_EQ(count(page, "https://"), 0U);
  EXPECT_EQ(count(page, " src="), 0U);
}

TEST(Text, SummaryCountsVerdicts) {
  Report report;
  for (const Verdict verdict : {Verdict::holds, Verdict::holds, Verdict::differs}) {
    report.claims.push_back({"c", "", "", "", "", verdict, "", ""});
  }
  const std::string page = page_of(report, Styles(report));
  EXPECT_NE(page.find("Of 3 claims"), std::string::npos);
  EXPECT_NE(page.find(">2 hold<"), std::string::npos);
  EXPECT_NE(page.find(">1 differs in degree<"), std::string::npos);
  EXPECT_NE(page.find(">0 fail<"), std::string::npos);
}

TEST(Csv, QuotesWhatNeedsIt) {
  Panel panel;
  panel.series.push_back({"taf", "TAF, \"new\"", {{1, 1e-5, .5, "a\nb"}, {2, kNan, kInfinity, "plain"}}});
  EXPECT_EQ(csv_of(panel),
            "filter,name,x,y,ci,command\n"
            "taf,\"TAF, \"\"new\"\"\",1,1e-05,0.5,\"a\nb\"\n"
            "taf,\"TAF, \"\"new\"\"\",2,,,plain\n");
  EXPECT_EQ(csv_of({ClaimResult{"id", "a, b", "6.2", "5x", "", Verdict::holds, "\r", "c"}}),
            "id,statement,section,paper,ours,verdict,why,command\n"
            "id,\"a, b\",6.2,5x,,holds,\"\r\",c\n");
}

// --- styles

TEST(Styles, AFilterLooksTheSameEverywhereAndUnlikeAnyOther) {
  Report report;
  for (int p = 0; p < 2; ++p) {
    Panel panel;
    for (const char* known : {"taf", "cyclic1", "cyclic2", "cyclic3", "rsqf"})
      panel.series.push_back({known, known, {}});
    for (int i = 0; i < 40; ++i) {
      const std::string name = "peer" + std::to_string(p == 0 ? i : 39 - i);
      panel.series.push_back({name, name, {}});
    }
    report.panels.push_back(panel);
  }
  const Styles styles(report);
  EXPECT_EQ(styles.filters().size(), 45U);
  std::set<std::pair<std::string, Marker>> looks;
  for (const auto& filter : styles.filters()) {
    looks.insert({styles.of(filter.filter).colour, styles.of(filter.filter).marker});
  }
  EXPECT_EQ(looks.size(), 45U);

  Report other;
  other.panels.resize(1);
  for (const char* known : {"rsqf", "new", "taf"}) other.panels[0].series.push_back({known, known, {}});
  for (const char* known : {"rsqf", "taf"}) {
    EXPECT_EQ(Styles(other).of(known).colour, styles.of(known).colour);
    EXPECT_EQ(Styles(other).of(known).marker, styles.of(known).marker);
  }
}

TEST(Styles, AFewFiltersHaveMarkersOfTheirOwn) {
  Report report;
  report.panels.resize(1);
  for (const char* name :
       {"taf", "exaf", "cyclic1", "cyclic2", "cyclic3", "swapping", "cuckooing", "rsqf", "vacuum", "a", "b", "c"}) {
    report.panels[0].series.push_back({name, name, {}});
  }
  const Styles styles(report);
  std::set<Marker> markers;
  for (const auto& filter : styles.filters()) markers.insert(styles.of(filter.filter).marker);
  EXPECT_EQ(markers.size(), 12U);
}

// --- files

TEST(Files, AReportIsAllOfThem) {
  const Directory directory;
  write_report(hostile_report(), directory.path());
  EXPECT_EQ(directory.files(), 4U);  // and no drafts
  EXPECT_NE(content(directory / "report.html").find("</html>"), std::string::npos);
  EXPECT_NE(content(directory / "p-1.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(count(content(directory / "p-1.csv"), "\n"), 2U);
  EXPECT_EQ(count(content(directory / "claims.csv"), "\n"), 2U);
}

TEST(Files, ReplacedWholeOrNotAtAll) {
  const Directory directory;
  write_file(directory / "f", "old");
  write_file(directory / "f", "new");
  EXPECT_EQ(content(directory / "f"), "new");
  EXPECT_EQ(directory.files(), 1U);

  std::filesystem::create_directories(directory / "d" / "full");  // nothing can be renamed to it
  try {
    write_file(directory / "d", "text");
    ADD_FAILURE() << "replaced a directory";
  } catch (const LabError& error) {
    EXPECT_NE(std::string(error.what()).find((directory / "d").string()), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("irectory"), std::string::npos) << error.what();
  }
  EXPECT_EQ(directory.files(), 2U) << "a draft is left";
}

TEST(Files, NoDirectoryIsAnErrorWithItsReason) {
  const Directory directory;
  try {
    write_report(hostile_report(), directory / "absent");
    ADD_FAILURE() << "wrote into a directory that does not exist";
  } catch (const LabError& error) {
    EXPECT_NE(std::string(error.what()).find("absent"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
}

TEST(Files, FullDiskIsAnErrorWithItsReason) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const Directory directory;
  // The draft of "f" is a link to a device that is always full.
  std::filesystem::create_symlink("/dev/full", directory / (".f." + std::to_string(::getpid())).c_str());
  try {
    write_file(directory / "f", "text");
    ADD_FAILURE() << "wrote to a full disk";
  } catch (const LabError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
  EXPECT_EQ(directory.files(), 0U);
}

TEST(Files, IdsThatCannotNameAFileAreRefused) {
  const Directory directory;
  for (const char* id : {"", "a/b", "..", "a b", "claims", "a\"b"}) {
    Report report = hostile_report();
    report.panels.front().id = id;
    EXPECT_THROW(write_report(report, directory.path()), LabError) << id;
  }
  Report twice = hostile_report();
  twice.panels.push_back(twice.panels.front());
  EXPECT_THROW(write_report(twice, directory.path()), LabError);
  EXPECT_EQ(directory.files(), 0U);
}

}  // namespace
}  // namespace telescope::lab
