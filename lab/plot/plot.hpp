// A line plot as SVG. Each axis is linear or logarithmic; on the latter, zeros are open markers at its foot. Points
// that are not numbers are left out.
#pragma once

#include <cmath>
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
  };
  struct Series {
    std::string name;
    Style style;
    std::vector<Point> points;
    std::string filter{};  // for programs that read the SVG
  };

  std::string title, x_label, y_label;
  bool x_logarithmic = true, y_logarithmic = true;
  std::vector<Series> series;
};

enum class Framing {
  alone,   // with a title and a legend
  inside,  // of a page, which has both
};

std::string to_svg(const Plot& plot, Framing framing = Framing::alone);

// Returns an SVG of a piece of the line with a marker, for a legend elsewhere.
std::string swatch(const Plot::Style& style);

// Returns the value in four digits, or "-" if it is not a number.
std::string brief(double value);

}  // namespace telescope::lab
