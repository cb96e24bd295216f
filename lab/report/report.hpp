// What an evaluation shows: panels of figures, claims with their verdicts, and what they were measured with. Written as
// one self-contained page, and beside it each panel as SVG and CSV.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/output.hpp"

namespace telescope::lab {

// One plot. Some figures of the paper have two.
struct Panel {
  struct Axis {
    std::string label;
    bool logarithmic = false;
  };
  struct Point {
    double x = 0;
    double y = 0;
    double ci = std::nan("");  // half the width of the 95 % interval; NaN: not known
    std::string command;       // measures this point again
  };
  struct Series {
    std::string filter;  // the same in all panels: taf, cyclic1, ...
    std::string name;    // for people: "Cyclic ACF, s = 1"
    std::vector<Point> points;
  };

  std::string id;      // "active-set": names the files, and the panel on the command line
  std::string figure;  // of the paper, by its label
  std::string title;
  std::string claim;    // what the paper says of it
  std::string finding;  // what this run shows; may be empty
  Axis x, y;
  std::vector<Series> series;
};

enum class Verdict { holds, differs, fails };  // differs: in degree, not in kind

constexpr const char* in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::differs: return "differs";
    case Verdict::fails: break;
  }
  return "fails";
}

struct ClaimResult {
  std::string id;
  std::string statement;  // of the paper
  std::string section;    // where the paper says so
  std::string paper;      // its figure
  std::string ours;       // as measured
  Verdict verdict = Verdict::fails;
  std::string why;      // where it does not simply hold; else may be empty
  std::string command;  // measures it again
};

struct Report {
  Row manifest;  // commit, compiler, cpu, scale, seeds, ...: an object of strings, numbers and arrays of these
  std::vector<Panel> panels;
  std::vector<ClaimResult> claims;
};

// Writes report.html, ID.svg and ID.csv for each panel, and claims.csv into a directory that exists. A file appears
// whole or not at all. Throws LabError if one cannot be written.
void write_report(const Report& report, const std::filesystem::path& directory);

}  // namespace telescope::lab
