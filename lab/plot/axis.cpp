#include "plot/axis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace telescope::lab {
namespace {

constexpr double kFootHeight = 30;  // pixels between the foot's end and the first value, if there is a foot
constexpr double kFootMargin = 12;
constexpr double kSlack = 1e-9;  // for values that are round but for the arithmetic

// Round values of a logarithmic axis are 1, 2, 5, 10, 20, 50, ...
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + kSlack));
  const double digit = value / power * (1 + kSlack);
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}
double round_up(double value) {
  const double below = round_down(value);
  if (value <= below * (1 + kSlack)) return below;
  const double power = std::pow(10, std::floor(std::log10(below) + kSlack));
  return power * (below < 1.5 * power ? 2 : below < 3 * power ? 5 : 10);
}

// Of a linear axis: up to ten steps of 1, 2 or 5 times a power of ten.
double step_for(double span) { return round_up(span / 9); }

Axis make(const Extent& extent, std::pair<double, double> ends, Axis::Pixels pixels) {
  Axis axis{extent.logarithmic(), ends.first, ends.second, pixels, pixels.first};
  if (extent.has_foot()) {
    const double towards = pixels.last > pixels.first ? 1 : -1;
    axis.foot += towards * kFootMargin;
    axis.pixels.first += towards * kFootHeight;
  }
  return axis;
}

std::vector<Axis::Tick> linear_ticks(double from, double to, double step) {
  std::vector<Axis::Tick> ticks;
  for (double i = std::ceil(from / step - kSlack); i * step <= to + step * kSlack; ++i) {
    const double value = i == 0 ? 0 : i * step;  // not -0
    ticks.push_back({value, tick_label(value)});
  }
  return ticks;
}

bool is_plain(double value) {
  const double size = std::abs(value);
  return size == 0 || (size > 0.000999 && size < 1e6);
}

std::string with_power(double value) {
  static constexpr std::array kSuperscripts = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + kSlack));
  std::string power = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent)))
    power += kSuperscripts[static_cast<std::size_t>(digit - '0')];
  const std::string digits = fmt::format("{:.3g}", value / std::pow(10, exponent));
  return digits == "1" ? power : digits + "·" + power;
}

// Over two decades all labels would crowd; over five all lines would.
std::vector<Axis::Tick> logarithmic_ticks(double from, double to) {
  const double decades = std::log10(to) - std::log10(from);
  const bool all_labels = decades < 2.2, all_lines = decades < 5;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  // Where one label needs a power of ten, all below 1 and above 10 have one.
  const auto label = [plain = is_plain(from) && is_plain(to)](double value) {
    return plain || (value > 0.999 && value < 10.001) ? tick_label(value) : with_power(value);
  };
  std::vector<Axis::Tick> ticks;
  const int end = static_cast<int>(std::ceil(std::log10(to)));
  for (int exponent = static_cast<int>(std::floor(std::log10(from))); exponent <= end; ++exponent) {
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10, exponent);
      if (value < from * (1 - kSlack) || value > to * (1 + kSlack)) continue;
      if (digit == 1 ? exponent % stride != 0 : !all_lines) continue;
      ticks.push_back({value, digit == 1 || all_labels ? label(value) : ""});
    }
  }
  return ticks;
}

}  // namespace

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  if (logarithmic_ && value <= 0) {
    has_foot_ = true;
    return;
  }
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
}

double Axis::at(double value) const {
  if (logarithmic && value <= 0) return foot;
  if (first == last) return (pixels.first + pixels.last) / 2;
  const auto scaled = [this](double v) { return logarithmic ? std::log(v) : v; };
  const double part = (scaled(value) - scaled(first)) / (scaled(last) - scaled(first));
  return pixels.first + (pixels.last - pixels.first) * part;
}

std::vector<Axis::Tick> Axis::ticks(double beyond) const {
  if (first == last) return {{first, tick_label(first)}};
  const double part = beyond / std::abs(pixels.last - pixels.first);
  if (!logarithmic) {
    const double margin = part * (last - first);
    return linear_ticks(first - margin, last + margin, step_for(last - first));
  }
  const double margin = std::exp(part * (std::log(last) - std::log(first)));
  auto ticks = logarithmic_ticks(first / margin, last * margin);
  if (has_foot()) ticks.insert(ticks.begin(), {0, "0"});
  return ticks;
}

Axis tight_axis(const Extent& extent, Axis::Pixels pixels) {
  if (extent.empty()) return round_axis(extent, pixels);
  return make(extent, {extent.least(), extent.most()}, pixels);
}

Axis round_axis(const Extent& extent, Axis::Pixels pixels) {
  if (extent.empty()) return make(extent, extent.logarithmic() ? std::pair(1., 10.) : std::pair(0., 1.), pixels);
  double least = extent.least(), most = extent.most();
  if (extent.logarithmic()) {
    const double first = round_down(least);
    return make(extent, {first, std::max(round_up(most), round_up(first * 1.1))}, pixels);
  }
  if (least > 0 && least < most * 2 / 3) least = 0;
  if (most < 0 && most > least * 2 / 3) most = 0;
  if (least == most) (least > 0 ? least : most) = least == 0 ? 1 : 0;
  const double step = step_for(most - least);
  return make(extent, {step * std::floor(least / step + kSlack), step * std::ceil(most / step - kSlack)}, pixels);
}

std::string tick_label(double value) { return is_plain(value) ? fmt::format("{:.6g}", value) : with_power(value); }

}  // namespace telescope::lab
