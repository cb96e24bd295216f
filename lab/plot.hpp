// A line plot on two logarithmic axes, as SVG.
#pragma once

#include <string>
#include <vector>

namespace telescope::lab {

struct Plot {
  struct Point {
    double x, y;  // both above zero
  };
  enum class Marker { disc, square };
  struct Series {
    std::string name;
    std::string colour;
    Marker marker = Marker::disc;
    bool dashed = false;
    std::vector<Point> points;
  };
  struct Tick {
    double x;
    std::string label;
    std::string second_label;
  };
  // A vertical line; left out where it would fall outside the ticks.
  struct Mark {
    double x;
    std::string label;
  };

  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<Tick> ticks;  // at least one, from left to right
  std::vector<Mark> marks;
};

std::string to_svg(const Plot& plot);

}  // namespace telescope::lab
