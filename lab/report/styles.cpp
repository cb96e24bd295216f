#include "report/styles.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace telescope::lab {
namespace {

// The cyclic filters, and the variants of TAF and of exAF, share a colour.
const std::map<std::string, Plot::Style>& known_styles() {
  static const std::map<std::string, Plot::Style> styles = {
      {"taf", {colour::kBlue, Marker::disc}},
      {"exaf", {colour::kVermilion, Marker::square}},
      {"taf-paper", {colour::kBlue, Marker::cross, "3 3"}},
      {"exaf-paper", {colour::kVermilion, Marker::triangle_right, "3 3"}},
      {"cyclic1", {colour::kGreen, Marker::triangle, "8 3"}},
      {"cyclic2", {colour::kGreen, Marker::triangle_down, "4 3"}},
      {"cyclic3", {colour::kGreen, Marker::triangle_left, "1.5 3"}},
      {"swapping", {colour::kPurple, Marker::diamond, "10 3 2 3"}},
      {"cuckooing", {colour::kOrange, Marker::pentagon, "6 3"}},
      {"rsqf", {colour::kBlack, Marker::plus, "2 2"}},
      {"vacuum", {colour::kSky, Marker::star}},
      {"utaf", {colour::kBlue, Marker::hourglass, "5 3"}},
  };
  return styles;
}

constexpr std::array kColours = {colour::kGrey,  colour::kOrange,    colour::kPurple, colour::kBlue,
                                 colour::kGreen, colour::kVermilion, colour::kSky,    colour::kBlack};
constexpr std::array kDashes = {"", "7 3", "2 3", "9 3 2 3"};
constexpr std::size_t kStyles = kColours.size() * kMarkers;

// Pairs each colour with each marker before it repeats itself.
Plot::Style nth_style(std::size_t n) {
  const std::size_t turn = n / kColours.size() % kMarkers, hue = n % kColours.size();
  return {kColours[hue], static_cast<Marker>((hue + turn) % kMarkers), kDashes[(hue + turn) % kDashes.size()]};
}

}  // namespace

Styles::Styles(const Report& report) {
  for (const Panel& panel : report.panels) {
    for (const Panel::Series& series : panel.series) {
      const auto same = [&](const Filter& seen) { return seen.filter == series.filter; };
      if (std::any_of(filters_.begin(), filters_.end(), same)) continue;
      filters_.push_back({series.filter, series.name});
      const auto known = known_styles().find(series.filter);
      if (known != known_styles().end()) styles_.insert(*known);
    }
  }
  for (const Filter& filter : filters_) {
    if (!styles_.contains(filter.filter)) styles_[filter.filter] = unused();
  }
}

// Preferably with a marker that no other has; at least with a marker and a colour that no other has both.
Plot::Style Styles::unused() const {
  const auto is_free = [&](const Plot::Style& style, bool whatever_colour) {
    return std::none_of(styles_.begin(), styles_.end(), [&](const auto& used) {
      return used.second.marker == style.marker && (whatever_colour || used.second.colour == style.colour);
    });
  };
  for (const bool whatever_colour : {true, false}) {
    for (std::size_t n = 0; n < kStyles; ++n) {
      if (is_free(nth_style(n), whatever_colour)) return nth_style(n);
    }
  }
  return nth_style(styles_.size());
}

Plot plot_of(const Panel& panel, const Styles& styles) {
  Plot plot;
  plot.title = panel.title;
  plot.x_label = panel.x.label;
  plot.y_label = panel.y.label;
  plot.x_logarithmic = panel.x.logarithmic;
  plot.y_logarithmic = panel.y.logarithmic;
  for (const Panel::Series& series : panel.series) {
    Plot::Series drawn{series.name, styles.of(series.filter), {}, series.filter};
    for (const Panel::Point& point : series.points) drawn.points.push_back({point.x, point.y, point.ci, point.command});
    plot.series.push_back(std::move(drawn));
  }
  return plot;
}

}  // namespace telescope::lab
