#include "plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace telescope::lab {
namespace {

constexpr double kWidth = 960, kHeight = 540;
constexpr double kLeft = 72, kRight = 770, kTop = 64, kBottom = 460;
constexpr double kInset = 24;  // between the frame and the first and last tick
constexpr const char* kGrid = "#e4e4e4";
constexpr const char* kInk = "#222222";
constexpr const char* kMarkInk = "#8a8a8a";

// A logarithmic axis.
struct Axis {
  double first, last;        // values
  double first_at, last_at;  // pixels
  double at(double value) const {
    if (first == last) return (first_at + last_at) / 2;
    return first_at + (last_at - first_at) * std::log(value / first) / std::log(last / first);
  }
};

// Round values are 1, 2, 5, 10, 20, 50, ...
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}
double next_round(double round) {
  const double power = std::pow(10, std::floor(std::log10(round) + 1e-9));
  return power * (round < 1.5 * power ? 2 : round < 3 * power ? 5 : 10);
}
double round_up(double value) {
  const double below = round_down(value);
  return below == value ? value : next_round(below);
}

Axis y_axis(const Plot& plot) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Plot::Series& series : plot.series) {
    for (const Plot::Point& point : series.points) {
      least = std::min(least, point.y);
      most = std::max(most, point.y);
    }
  }
  if (most == 0) return {1, 10, kBottom, kTop};
  const double first = round_down(least);
  return {first, std::max(round_up(most), next_round(first)), kBottom, kTop};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot), x_{plot.ticks.front().x, plot.ticks.back().x, kLeft + kInset, kRight - kInset}, y_(y_axis(plot)) {}

  std::string svg() {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
        R"(font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{2}">)",
        kWidth, kHeight, kInk);
    add(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", kWidth, kHeight);
    text(kLeft, 30, "start", plot_.title, R"(font-size="17" font-weight="bold")");
    draw_y_axis();
    draw_x_axis();
    draw_marks();
    add(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="{}"/>)", kLeft, kTop, kRight - kLeft,
        kBottom - kTop, kMarkInk);
    for (const Plot::Series& series : plot_.series) draw_series(series);
    draw_legend();
    add("</svg>");
    return out_;
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void text(double x, double y, const char* anchor, const std::string& words, const char* more = "") {
    add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" {}>{}</text>)", x, y, anchor, more, escaped(words));
  }

  void line(Plot::Point from, Plot::Point to, const std::string& colour, const char* more = "") {
    add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" {}/>)", from.x, from.y, to.x, to.y, colour,
        more);
  }

  void draw_y_axis() {
    for (double value = y_.first; value <= y_.last * 1.001; value = next_round(value)) {
      const double y = y_.at(value);
      line({kLeft, y}, {kRight, y}, kGrid);
      text(kLeft - 8, y + 4.5, "end", fmt::format("{:g}", value));
    }
    add(R"svg(<text transform="translate(22 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg",
        (kTop + kBottom) / 2, escaped(plot_.y_label));
  }

  void draw_x_axis() {
    for (const Plot::Tick& tick : plot_.ticks) {
      const double x = x_.at(tick.x);
      line({x, kTop}, {x, kBottom}, kGrid);
      text(x, kBottom + 19, "middle", tick.label);
      text(x, kBottom + 36, "middle", tick.second_label, R"(font-size="11" fill="#666666")");
    }
    text((kLeft + kRight) / 2, kBottom + 62, "middle", plot_.x_label);
  }

  void draw_marks() {
    for (const Plot::Mark& mark : plot_.marks) {
      if (mark.x < x_.first || mark.x > x_.last) continue;
      const double x = x_.at(mark.x);
      line({x, kTop}, {x, kBottom}, kMarkInk, R"(stroke-dasharray="2 3")");
      text(x, kTop - 7, "middle", mark.label, R"(font-size="11" fill="#666666")");
    }
  }

  void draw_series(const Plot::Series& series) {
    std::string path;
    for (const Plot::Point& point : series.points) {
      path += fmt::format("{:.1f},{:.1f} ", x_.at(point.x), y_.at(point.y));
    }
    add(R"(<polyline points="{}" fill="none" stroke="{}" {}/>)", path, series.colour, stroke(series));
    for (const Plot::Point& point : series.points) draw_marker(series, {x_.at(point.x), y_.at(point.y)});
  }

  void draw_marker(const Plot::Series& series, Plot::Point at) {
    if (series.marker == Plot::Marker::disc) {
      add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="{}"/>)", at.x, at.y, series.colour);
    } else {
      add(R"(<rect x="{:.1f}" y="{:.1f}" width="7" height="7" fill="#ffffff" stroke="{}" stroke-width="2"/>)",
          at.x - 3.5, at.y - 3.5, series.colour);
    }
  }

  void draw_legend() {
    double y = kTop + 10;
    for (const Plot::Series& series : plot_.series) {
      line({kRight + 16, y}, {kRight + 50, y}, series.colour, stroke(series));
      draw_marker(series, {kRight + 33, y});
      text(kRight + 58, y + 4.5, "start", series.name);
      y += 24;
    }
  }

  static const char* stroke(const Plot::Series& series) {
    return series.dashed ? R"(stroke-width="2" stroke-dasharray="6 4")" : R"(stroke-width="2")";
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).svg(); }

}  // namespace telescope::lab
