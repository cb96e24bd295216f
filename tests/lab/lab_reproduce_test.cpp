// What `reproduce` runs, and what it remembers of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "figures/figure.hpp"
#include "figures/rates.hpp"
#include "io/errors.hpp"
#include "reproduce/job.hpp"
#include "reproduce/journal.hpp"
#include "support/directory.hpp"

namespace telescope::lab {
namespace {

TEST(Job, IsACommandThatAShellReadsAsItIs) {
  EXPECT_EQ(job("fpr --as 10  --filters taf:evict,rsqf+cache", 1).command(),
            "fpr --as 10 --filters taf:evict,rsqf+cache");
  const Job odd{.arguments = {"trace", "my file's.pcap", "", "a$b"}};
  EXPECT_EQ(odd.command(), "trace 'my file'\\''s.pcap' '' 'a$b'");
}

TEST(Results, FindTheRowWithTheseFields) {
  Results results;
  const Job some = job("fpr --as 1", 1);
  results.add(some.command(), {Row{{"filter", "taf"}, {"as", 1.0}, {"policy", nullptr}, {"fpr", 0.5}},
                               Row{{"filter", "taf"}, {"as", 2.0}, {"policy", "reset"}, {"fpr", 0.25}}});
  EXPECT_EQ(results.number(some, {{"filter", "taf"}, {"as", 2.0}}, "fpr"), 0.25);
  EXPECT_EQ(results.number(some, {{"policy", Row()}}, "fpr"), 0.5);
  EXPECT_THROW((void)results.row(some, {{"filter", "rsqf"}}), LabError);
  EXPECT_THROW((void)results.row(some, {{"seed", 1}}), LabError);
  EXPECT_THROW((void)results.rows(job("fpr --as 2", 1)), LabError);
}

class JournalTest : public ::testing::Test {
 protected:
  static Row manifest(const std::string& build) { return {{"build", build}, {"cpu", "one"}, {"scale", "quick"}}; }
  std::filesystem::path file() const { return directory_.path() / "journal.jsonl"; }

  testing::Directory directory_;
};

TEST_F(JournalTest, RemembersWhatHasFinished) {
  {
    Journal journal(directory_.path(), manifest("a"));
    journal.add("fpr --as 1", {Row{{"fpr", 0.5}}, Row{{"fpr", 0.25}}}, 3);
  }
  const Journal again(directory_.path(), manifest("a"));
  EXPECT_FALSE(again.was_another());
  ASSERT_TRUE(again.results().contains("fpr --as 1"));
  EXPECT_EQ(again.results().rows(job("fpr --as 1", 1)).at(1)["fpr"], 0.25);
  EXPECT_FALSE(again.results().contains("fpr --as 2"));
}

TEST_F(JournalTest, ATornLineIsAJobThatHasNotFinished) {
  {
    Journal journal(directory_.path(), manifest("a"));
    journal.add("fpr --as 1", {Row{{"fpr", 0.5}}}, 3);
    journal.add("fpr --as 2", {Row{{"fpr", 0.5}}}, 3);
  }
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) - 5);
  {
    Journal journal(directory_.path(), manifest("a"));
    EXPECT_TRUE(journal.results().contains("fpr --as 1"));
    EXPECT_FALSE(journal.results().contains("fpr --as 2"));
    journal.add("fpr --as 3", {}, 1);
  }
  const Journal again(directory_.path(), manifest("a"));
  EXPECT_TRUE(again.results().contains("fpr --as 1"));
  EXPECT_TRUE(again.results().contains("fpr --as 3"));
}

TEST_F(JournalTest, KeepsResultsOfAnotherBuildAside) {
  {
    Journal journal(directory_.path(), manifest("a"));
    journal.add("fpr --as 1", {}, 1);
  }
  const Journal other(directory_.path(), manifest("b"));
  EXPECT_TRUE(other.was_another());
  EXPECT_FALSE(other.results().contains("fpr --as 1"));
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "journal-a.jsonl"));
}

TEST_F(JournalTest, AFileThatIsNoJournalIsNotLost) {
  std::ofstream(file()) << "something else\n";
  const Journal journal(directory_.path(), manifest("a"));
  EXPECT_TRUE(journal.was_another());
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "journal-broken.jsonl"));
}

TEST_F(JournalTest, SaysWhenItCannotWrite) {
  std::ofstream(directory_ / "file") << "x";
  EXPECT_THROW(Journal(directory_.path() / "file", manifest("a")), LabError);
}

TEST_F(JournalTest, WritesEveryRowWithItsCommand) {
  Journal journal(directory_.path(), manifest("a"));
  journal.add("fpr --as 1", {Row{{"fpr", 0.5}}, Row{{"fpr", 0.25}}}, 3);
  journal.write_points();
  std::ifstream in(directory_.path() / "points.jsonl");
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) rows.push_back(Row::parse(line));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["fpr"], 0.25);
  EXPECT_EQ(rows[1]["command"], "./run lab fpr --as 1");
}

// Names are what one writes on the command line.
TEST(Reproduce, FiguresAndClaimsHaveNamesOfTheirOwn) {
  std::set<std::string> names{"all", "figures", "claims"};
  for (const Figure& figure : all_figures()) EXPECT_TRUE(names.insert(figure.id).second) << figure.id;
  for (const Claim& claim : all_claims()) EXPECT_TRUE(names.insert(claim.id).second) << claim.id;
}

// A claim whose jobs have not run has no verdict.
TEST(Reproduce, NoVerdictWithoutARun) {
  for (const Scale scale : {Scale::quick, Scale::paper}) {
    const Setting setting{.scale = scale, .traces = {}};
    for (const Claim& claim : all_claims()) {
      EXPECT_FALSE(claim.jobs(setting).empty()) << claim.id;
      EXPECT_THROW((void)claim.judge(setting, Results()), LabError) << claim.id;
    }
    for (const Figure& figure : all_figures()) {
      EXPECT_THROW((void)figure.panels(setting, Results()), LabError) << figure.id;
    }
  }
}

const Claim& claim(const std::vector<Claim>& claims, const std::string& id) {
  return *std::find_if(claims.begin(), claims.end(), [&](const Claim& each) { return each.id == id; });
}

// The verdict on a claim with one job, from rows that are made up.
Verdict verdict(const std::string& id, const std::vector<Row>& rows) {
  const std::vector<Claim> claims = all_claims();
  const Setting setting;
  Results results;
  results.add(claim(claims, id).jobs(setting).front().command(), rows);
  return claim(claims, id).judge(setting, results).verdict;
}

TEST(Judges, TellAMemoryOfElevenBitsFromMore) {
  const auto taf = [](double bits) {
    return Row{{"filter", "taf"}, {"policy", "evict"}, {"seed", "mean"}, {"bits_per_slot", bits}};
  };
  EXPECT_EQ(verdict("eleven-bits", {taf(11)}), Verdict::holds);
  EXPECT_EQ(verdict("eleven-bits", {taf(11.125)}), Verdict::fails);
}

TEST(Judges, WantNoFullCodeAndFewBits) {
  const auto row = [](double bits, int full) { return Row{{"entropy", bits}, {"overflows", full}, {"members", 1000}}; };
  EXPECT_EQ(verdict("four-queries-per-member", {row(0.1, 0), row(0.8, 0)}), Verdict::holds);
  EXPECT_EQ(verdict("four-queries-per-member", {row(0.1, 0), row(0.1, 1)}), Verdict::fails);
  EXPECT_EQ(verdict("four-queries-per-member", {row(0.9, 0), row(0.1, 0)}), Verdict::fails);
}

TEST(Judges, CompareShareAndLemmaInStandardDeviations) {
  const auto row = [](double share) {
    return Row{{"as", 1.0}, {"seed", 1}, {"members", 10000}, {"share_0", share}, {"lemma_0", 0.5}};
  };
  EXPECT_EQ(verdict("selector-zero", {row(0.515)}), Verdict::holds);  // .005 is one
  EXPECT_EQ(verdict("selector-zero", {row(0.525)}), Verdict::fails);
  EXPECT_EQ(verdict("selector-zero", {row(0.475)}), Verdict::fails);
}

TEST(Judges, SeeWhereTheRateTurns) {
  const auto rows = [](double at20) {
    std::vector<Row> made;
    for (const char* const filter : {"taf", "taf-shift"}) {
      for (const double as : {4.0, 20.0, 40.0}) {
        made.push_back(Row{{"filter", filter}, {"as", as}, {"seed", "mean"}, {"fpr", as == 20 ? at20 : 1.0}});
      }
    }
    return made;
  };
  EXPECT_EQ(verdict("beyond-the-bound", rows(1.2)), Verdict::holds);
  EXPECT_EQ(verdict("beyond-the-bound", rows(1.6)), Verdict::differs);
  EXPECT_EQ(verdict("beyond-the-bound", rows(3)), Verdict::fails);
}

TEST(Judges, RatesOfQueriesDecideAboutExaf) {
  const auto rows = [](double exaf) {
    const auto row = [](const char* filter, double mops) {
      return Row{{"filter", filter}, {"operation", "negative_adapted"}, {"mops", mops}};
    };
    return std::vector<Row>{row("exaf", exaf), row("taf-decode", 10), row("taf", 20)};
  };
  EXPECT_EQ(verdict("exaf-queries", rows(20)), Verdict::holds);
  EXPECT_EQ(verdict("exaf-queries", rows(40)), Verdict::differs);
  EXPECT_EQ(verdict("exaf-queries", rows(10)), Verdict::fails);
}

Panel::Series series(const char* name, std::vector<double> rates) {
  Panel::Series made{.filter = name, .name = name, .points = {}};
  for (std::size_t i = 0; i < rates.size(); ++i) made.points.push_back({static_cast<double>(i + 1), rates[i], 0, ""});
  return made;
}

TEST(Rates, SayWhoIsLowestWhere) {
  EXPECT_EQ(who_is_lowest({series("A", {1, 1, 3, 1}), series("B", {2, 2, 2, 2})}),
            "Lowest: A at 1 to 2, B at 3, A at 4.");
}

}  // namespace
}  // namespace telescope::lab
