// Plots: axes and their ticks, and what is drawn of zeros and of what is not a number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plot/axis.hpp"
#include "plot/plot.hpp"

namespace telescope::lab {
namespace {

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

Extent extent(bool logarithmic, const std::vector<double>& values) {
  Extent out(logarithmic);
  for (const double value : values) out.add(value);
  return out;
}

std::vector<std::string> labels(const Axis& axis, double beyond = 0) {
  std::vector<std::string> out;
  for (const Axis::Tick& tick : axis.ticks(beyond)) {
    if (!tick.label.empty()) out.push_back(tick.label);
  }
  return out;
}

using Labels = std::vector<std::string>;
constexpr Axis::Pixels kUp = {400, 0}, kRight = {0, 400};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// All pieces of a text that lie between two others.
std::vector<std::string> between(const std::string& text, const std::string& from, const std::string& to) {
  std::vector<std::string> out;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    at += from.size();
    out.push_back(text.substr(at, text.find(to, at) - at));
  }
  return out;
}
std::vector<std::string> points_of(const std::string& svg) { return between(svg, R"(<g class="point")", "</g>"); }

// --- axes

TEST(Axis, LinearStartsAtZeroAndEndsRound) {
  const Axis axis = round_axis(extent(false, {12, 31}), kUp);
  EXPECT_EQ(axis.first, 0);
  EXPECT_EQ(axis.last, 35);
  EXPECT_EQ(labels(axis), (Labels{"0", "5", "10", "15", "20", "25", "30", "35"}));
  EXPECT_DOUBLE_EQ(axis.at(0), 400);
  EXPECT_DOUBLE_EQ(axis.at(35), 0);
  EXPECT_DOUBLE_EQ(axis.at(17.5), 200);
}

TEST(Axis, LinearLeavesZeroOutWhereItWouldWasteMostOfIt) {
  EXPECT_EQ(labels(round_axis(extent(false, {100, 104}), kUp)).front(), "100");
  EXPECT_EQ(labels(round_axis(extent(false, {-3, 5}), kUp)).front(), "-3");
}

TEST(Axis, OneValueIsEnough) {
  for (const double value : {5., 0., -5.}) {
    const Axis axis = round_axis(extent(false, {value}), kUp);
    EXPECT_LT(axis.first, axis.last);
    EXPECT_GE(axis.at(value), 0);
    EXPECT_LE(axis.at(value), 400);
  }
  const Axis logarithmic = round_axis(extent(true, {1e-4}), kUp);
  EXPECT_LT(logarithmic.first, logarithmic.last);
  const Axis tight = tight_axis(extent(true, {7}), kRight);
  EXPECT_EQ(tight.at(7), 200);
  EXPECT_EQ(labels(tight), Labels{"7"});
}

TEST(Axis, NoValueIsEnough) {
  EXPECT_EQ(round_axis(extent(false, {}), kUp).last, 1);
  EXPECT_EQ(tight_axis(extent(true, {kNan, kInfinity, -kInfinity}), kRight).last, 10);
}

TEST(Axis, LogarithmicHasAllLabelsUpToTwoDecades) {
  EXPECT_EQ(labels(tight_axis(extent(true, {1, 100}), kRight)), (Labels{"1", "2", "5", "10", "20", "50", "100"}));
  const Axis axis = round_axis(extent(true, {3e-5, 9e-3}), kUp);
  EXPECT_EQ(labels(axis), (Labels{"10⁻⁴", "10⁻³", "10⁻²"}));
  EXPECT_EQ(axis.ticks().size(), 9U);  // 2, 5, 1, 2, 5, 1, 2, 5, 1
  EXPECT_NEAR(axis.first, 2e-5, 1e-12);
  EXPECT_NEAR(axis.last, 1e-2, 1e-9);
}

TEST(Axis, ManyDecadesDoNotCrowd) {
  for (const double decades : {3., 6., 20., 200.}) {
    const auto ticks = labels(round_axis(extent(true, {std::pow(10, -decades), 1}), kUp));
    EXPECT_GE(ticks.size(), 3U) << decades;
    EXPECT_LE(ticks.size(), 11U) << decades;
  }
}

TEST(Axis, NoTickIsLostToRounding) {
  for (int exponent = -9; exponent < 9; ++exponent) {
    const double power = std::pow(10, exponent);
    for (const double digit : {1., 2., 5.}) {
      const Axis axis = round_axis(extent(true, {digit * power, 10 * power}), kUp);
      EXPECT_NEAR(axis.first / power, digit, 1e-6) << exponent;
      EXPECT_NEAR(axis.last / power, 10, 1e-6) << exponent;
      EXPECT_EQ(labels(axis).size(), digit == 1 ? 4U : digit == 2 ? 3U : 2U) << exponent;
    }
    EXPECT_EQ(labels(round_axis(extent(false, {0, 8 * power}), kUp)).size(), 9U) << exponent;
  }
}

TEST(Axis, AlmostRoundIsRound) {
  EXPECT_NEAR(round_axis(extent(false, {0, .1 + .2}), kUp).last, .3, 1e-12);
  EXPECT_NEAR(round_axis(extent(true, {1, 5 * (1 + 1e-12)}), kUp).last, 5, 1e-9);
  EXPECT_NEAR(round_axis(extent(true, {1 - 1e-12, 5}), kUp).first, 1, 1e-9);
  EXPECT_EQ(labels(tight_axis(extent(false, {.1 + .2, .9}), kRight)).front(), "0.3");
}

TEST(Axis, TicksReachIntoTheMargin) {
  const Axis axis = tight_axis(extent(false, {1, 100}), kRight);
  EXPECT_EQ(labels(axis).front(), "20");
  EXPECT_EQ(labels(axis, 10).front(), "0");
}

TEST(Axis, ZerosOnALogarithmicAxisHaveAFoot) {
  const Axis axis = round_axis(extent(true, {0, 1e-3, 1e-2}), kUp);
  ASSERT_TRUE(axis.has_foot());
  EXPECT_EQ(labels(axis).front(), "0");
  EXPECT_GT(axis.at(0), axis.at(1e-3)) << "below the least value";
  EXPECT_LT(axis.at(0), 400) << "inside the frame";
  EXPECT_EQ(axis.at(-1), axis.at(0));
  EXPECT_FALSE(round_axis(extent(true, {1e-3, 1e-2}), kUp).has_foot());
  EXPECT_FALSE(round_axis(extent(false, {0, 1}), kUp).has_foot());
  EXPECT_TRUE(round_axis(extent(true, {0, 0}), kUp).has_foot());
}

TEST(Axis, Labels) {
  EXPECT_EQ(tick_label(0), "0");
  EXPECT_EQ(tick_label(.1 + .2), "0.3");
  EXPECT_EQ(tick_label(1e-5), "10⁻⁵");
  EXPECT_EQ(tick_label(2 * std::pow(10, -12)), "2·10⁻¹²");
  EXPECT_EQ(tick_label(-2.5e7), "-2.5·10⁷");
  EXPECT_EQ(tick_label(250000), "250000");
}

// --- plots

Plot plot_with(const std::vector<Plot::Point>& points, bool logarithmic = true) {
  Plot plot;
  plot.title = "a title";
  plot.x_logarithmic = plot.y_logarithmic = logarithmic;
  plot.series.push_back({"TAF", {colour::kBlue}, points, "taf"});
  return plot;
}

TEST(Plot, PointsCarryTheirValues) {
  const std::string svg = to_svg(plot_with({{1, 2e-3, 1e-4, "again"}, {10, 3e-3}}));
  EXPECT_NE(svg.find(R"(data-x="1" data-y="0.002" data-ci="0.0001" data-command="again">)"), std::string::npos);
  EXPECT_NE(svg.find(R"(data-x="10" data-y="0.003" data-ci="">)"), std::string::npos);
  EXPECT_NE(svg.find(R"(data-filter="taf")"), std::string::npos);
  EXPECT_NE(svg.find("0.002 ± 0.0001</title>"), std::string::npos);
  EXPECT_EQ(count(svg, R"(class="ci")"), 1U);
  EXPECT_EQ(count(svg, R"(class="legend")"), 1U);
  EXPECT_EQ(count(to_svg(plot_with({{1, 1}}), Framing::inside), R"(class="legend")"), 0U);
}

TEST(Plot, WhatIsNotANumberIsLeftOutAndLeavesAGap) {
  const std::string svg = to_svg(plot_with({{1, 1}, {2, kNan}, {3, 1}, {4, 2}, {kInfinity, 1}, {5, -kInfinity}}));
  EXPECT_EQ(count(svg, R"(class="point")"), 3U);
  EXPECT_EQ(count(svg, "nan"), 0U);
  EXPECT_EQ(count(svg, "inf"), 0U);
  const auto lines = between(svg, R"(class="line" d=")", "\"");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(count(lines[0], "M"), 2U);
  EXPECT_EQ(count(lines[0], "L"), 1U);
}

TEST(Plot, ZerosAreOpenMarkersAtTheFoot) {
  const std::string open = R"(fill="#ffffff")", zero = R"(data-y="0")";
  const std::string svg = to_svg(plot_with({{1, 0}, {2, 1e-3}, {4, 0}}));
  const auto points = points_of(svg);
  ASSERT_EQ(points.size(), 3U);
  for (const std::string& point : points) EXPECT_EQ(count(point, open), count(point, zero)) << point;
  EXPECT_EQ(count(points[0], zero) + count(points[2], zero), 2U);
  EXPECT_NE(svg.find(">0</text>"), std::string::npos);

  const auto linear = points_of(to_svg(plot_with({{1, 0}, {2, 1e-3}}, false)));
  ASSERT_EQ(linear.size(), 2U);
  EXPECT_EQ(count(linear[0], open), 0U) << "a linear axis has a place for zero";
}

void expect_points_in_frame(const std::string& svg, std::size_t number) {
  const std::string frame = between(svg, R"(class="frame")", "/>").at(0);
  const auto of_frame = [&](const std::string& name) {
    return std::stod(between(frame, " " + name + "=\"", "\"").at(0));
  };
  const auto points = points_of(svg);
  EXPECT_EQ(points.size(), number);
  for (const std::string& point : points) {
    std::size_t end = 0;
    const std::string place = between(point, "translate(", ")").at(0);
    const double x = std::stod(place, &end) - of_frame("x"), y = std::stod(place.substr(end)) - of_frame("y");
    EXPECT_TRUE(x >= 0 && x <= of_frame("width") && y >= 0 && y <= of_frame("height")) << point;
  }
}

TEST(Plot, EveryPointLiesInTheFrame) {
  const std::vector<std::vector<Plot::Point>> cases = {
      {{1, 1}},           {{0, 0}}, {{1, 0, .1}, {1e6, 1e-12, 5}}, {{5, 5}, {5, 5}}, {{1, 1e300}, {1e300, 1e-300}},
      {{-1, -1}, {3, 3}},
  };
  for (const auto& points : cases) {
    for (const bool logarithmic : {true, false}) {
      expect_points_in_frame(to_svg(plot_with(points, logarithmic)), points.size());
    }
  }
}

TEST(Plot, NothingToDrawIsStillAPlot) {
  Plot plot;
  EXPECT_NE(to_svg(plot).find("</svg>"), std::string::npos);
  plot.series.push_back({"empty", {colour::kBlue}, {}, "empty"});
  EXPECT_NE(to_svg(plot).find(R"(data-filter="empty")"), std::string::npos);
}

}  // namespace
}  // namespace telescope::lab
