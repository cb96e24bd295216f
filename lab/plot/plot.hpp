// A line plot as SVG. Each axis is linear or logarithmic; on the latter, zeros are open markers at its foot. Points
// that are not numbers are left out.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "plot/style.hpp"

namespace telescope::lab {

struct Plot {
  struct Point {
    double x, y;
    double ci = std::nan("");  // an error bar reaches as far up and down; NaN: none
    std::string command{};     // measures it again; may be empty
  };
  struct Style {
    std::string colour;
    Marker marker = Marker::disc;
    std::string dash{};  // as SVG has it; empty: a solid line
    bool open = false;   // markers
  };
  struct Series {
    std::string name;
    Style style;
    std::vector<Point> points;
    std::string filter{};  // for programs that read the SVG
  };
  struct Tick {
    double x;
    std::string label;
    std::string second_label{};
  };
  // A vertical line; left out where it would fall outside the frame.
  struct Mark {
    double x;
    std::string label;
  };
  // A horizontal line.
  struct Bound {
    double y;
    std::string label;
  };

  std::string title, x_label, y_label;
  bool x_logarithmic = true, y_logarithmic = true;
  std::vector<Series> series;
  std::vector<Tick> ticks;  // of x, from left to right; empty: round values
  std::vector<Mark> marks;
  std::optional<Bound> bound;
};

enum class Framing {
  alone,   // with a title and a legend
  inside,  // of a page, which has both
};

std::string to_svg(const Plot& plot, Framing framing = Framing::alone);

// A piece of the line with a marker, for a legend of one's own.
std::string swatch(const Plot::Style& style);

// Rounded as people like to read it, "-" if it is not a number.
std::string brief(double value);

}  // namespace telescope::lab
