#include "plot/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/markup.hpp"
#include "plot/axis.hpp"

namespace telescope::lab {
namespace {

constexpr double kFrameWidth = 590, kFrameHeight = 360;
constexpr double kLeft = 82, kRight = kLeft + kFrameWidth;
constexpr double kInset = 22;         // between the frame and the first and last value of x
constexpr double kHeadroom = 12;      // between the frame and the last value of y
constexpr double kLegendLine = 36;    // pixels, as wide as a swatch
constexpr double kLetter = 7.2;       // pixels, on average and a little more
constexpr std::size_t kLongest = 44;  // letters of a name in the legend
constexpr const char* kGrid = "#e6e6e6";
constexpr const char* kFaintGrid = "#f3f3f3";
constexpr const char* kInk = "#222222";
constexpr const char* kMarkInk = "#8a8a8a";
constexpr const char* kBroken = R"(stroke-dasharray="1 4")";  // between an axis and its foot

bool starts_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }  // of UTF-8
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}
std::string shortened(const std::string& text) {
  if (letters(text) <= kLongest) return text;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (starts_letter(text[end]) && ++seen == kLongest) break;
  }
  return text.substr(0, end) + "…";
}

bool is_drawn(const Plot::Point& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

Axis x_axis(const Plot& plot) {
  Extent extent(plot.x_logarithmic);
  for (const Plot::Series& series : plot.series) {
    for (const Plot::Point& point : series.points) {
      if (is_drawn(point)) extent.add(point.x);
    }
  }
  const double inset = extent.has_foot() ? 0 : kInset;
  return tight_axis(extent, {kLeft + inset, kRight - kInset});
}

// Error bars belong to the picture, but their lower ends must not stretch a logarithmic axis by decades.
Axis y_axis(const Plot& plot, double top) {
  Extent extent(plot.y_logarithmic);
  for (const Plot::Series& series : plot.series) {
    for (const Plot::Point& point : series.points) {
      if (!is_drawn(point)) continue;
      extent.add(point.y);
      extent.add(point.y + point.ci);
      if (!plot.y_logarithmic) extent.add(point.y - point.ci);
    }
  }
  return round_axis(extent, {top + kFrameHeight, top + kHeadroom});
}

std::string marker(const Plot::Style& style, bool open) {
  return fmt::format(R"(<path d="{}" fill="{}" stroke="{}" stroke-width="{}"/>)", outline(style.marker),
                     open ? "#ffffff" : style.colour, open ? style.colour : "#ffffff", open ? "1.6" : "0.7");
}

std::string stroke(const Plot::Style& style) {
  std::string out = fmt::format(R"(fill="none" stroke="{}" stroke-width="1.8" stroke-linejoin="round")", style.colour);
  if (!style.dash.empty()) out += fmt::format(R"( stroke-dasharray="{}")", style.dash);
  return out;
}

class Drawing {
 public:
  Drawing(const Plot& plot, Framing framing)
      : plot_(plot),
        alone_(framing == Framing::alone),
        top_(alone_ ? 46 : 10),
        bottom_(top_ + kFrameHeight),
        x_(x_axis(plot)),
        y_(y_axis(plot, top_)) {}

  std::string svg() {
    const double frame_end = bottom_ + 54;
    const double height =
        alone_ ? std::max(frame_end, top_ + 22. * static_cast<double>(plot_.series.size())) : frame_end;
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="group" )"
        R"(aria-label="{2}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{3}">)",
        width(), height, escaped(plot_.title), kInk);
    add(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", width(), height);
    if (alone_) text(kLeft, 28, "start", plot_.title, R"(font-size="16" font-weight="bold")");
    draw_y_axis();
    draw_x_axis();
    add(R"(<rect class="frame" x="{}" y="{}" width="{}" height="{}" fill="none" stroke="{}"/>)", kLeft, top_,
        kFrameWidth, kFrameHeight, kMarkInk);
    for (const Plot::Series& series : plot_.series) draw_series(series);
    if (alone_) draw_legend();
    add("</svg>");
    return std::move(out_);
  }

 private:
  struct Place {
    double x, y;
  };

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void text(double x, double y, const char* anchor, const std::string& words, const std::string& more = "") {
    add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" {}>{}</text>)", x, y, anchor, more, escaped(words));
  }

  void line(Place from, Place to, const char* colour, const char* more = "") {
    add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" {}/>)", from.x, from.y, to.x, to.y, colour,
        more);
  }

  std::string place(const Plot::Point& point) const {
    return fmt::format("{:.1f} {:.1f}", x_.at(point.x), y_.at(point.y));
  }

  double width() const {
    if (!alone_) return kRight + 14;
    std::size_t longest = 0;
    for (const Plot::Series& series : plot_.series) longest = std::max(longest, letters(shortened(series.name)));
    const double legend = kRight + 24 + kLegendLine + kLetter * static_cast<double>(longest);
    return std::ceil(std::max(legend, kLeft + 9.5 * static_cast<double>(letters(plot_.title))) + 10);
  }

  // Zeros have no place on a logarithmic axis: a row of their own, beyond a broken line.
  bool at_foot(const Plot::Point& point) const {
    return (plot_.x_logarithmic && point.x <= 0) || (plot_.y_logarithmic && point.y <= 0);
  }

  void draw_y_axis() {
    for (const Axis::Tick& tick : y_.ticks()) {
      const double y = y_.at(tick.value);
      line({kLeft, y}, {kRight, y}, tick.label.empty() ? kFaintGrid : kGrid);
      if (!tick.label.empty()) text(kLeft - 8, y + 4.5, "end", tick.label);
    }
    if (y_.has_foot()) {
      const double y = (y_.foot + y_.pixels.first) / 2;
      line({kLeft, y}, {kRight, y}, kMarkInk, kBroken);
    }
    add(R"svg(<text transform="translate(17 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)svg",
        (top_ + bottom_) / 2, escaped(plot_.y_label));
  }

  void draw_x_axis() {
    for (const Axis::Tick& tick : x_.ticks(kInset - 2)) {
      const double x = x_.at(tick.value);
      line({x, top_}, {x, bottom_}, tick.label.empty() ? kFaintGrid : kGrid);
      if (!tick.label.empty()) text(x, bottom_ + 18, "middle", tick.label);
    }
    if (x_.has_foot()) {
      const double x = (x_.foot + x_.pixels.first) / 2;
      line({x, top_}, {x, bottom_}, kMarkInk, kBroken);
    }
    text((kLeft + kRight) / 2, bottom_ + 42, "middle", plot_.x_label);
  }

  void draw_series(const Plot::Series& series) {
    add(R"(<g class="series" data-filter="{}" data-name="{}">)", escaped(series.filter), escaped(series.name));
    draw_lines(series);
    for (const Plot::Point& point : series.points) {
      if (is_drawn(point)) draw_error_bar(series, point);
    }
    for (const Plot::Point& point : series.points) {
      if (is_drawn(point)) draw_point(series, point);
    }
    add("</g>");
  }

  // Where a point is missing the line has a gap. To and from the foot it is thin: its slope means nothing.
  void draw_lines(const Plot::Series& series) {
    std::string solid, thin;
    const Plot::Point* last = nullptr;
    for (const Plot::Point& point : series.points) {
      if (is_drawn(point)) {
        const bool joins_foot = last != nullptr && (at_foot(point) || at_foot(*last));
        if (joins_foot) thin += "M" + place(*last) + "L" + place(point);
        if (!at_foot(point)) solid += (last == nullptr || joins_foot ? "M" : "L") + place(point);
      }
      last = is_drawn(point) ? &point : nullptr;
    }
    if (!solid.empty()) add(R"(<path class="line" d="{}" {}/>)", solid, stroke(series.style));
    if (!thin.empty()) {
      add(R"(<path class="line" d="{}" fill="none" stroke="{}" stroke-width="0.8" stroke-dasharray="1 3"/>)", thin,
          series.style.colour);
    }
  }

  void draw_error_bar(const Plot::Series& series, const Plot::Point& point) {
    if (!std::isfinite(point.ci) || point.ci <= 0) return;
    const double x = x_.at(point.x), high = y_.at(point.y + point.ci);
    double low = y_.at(point.y);
    bool ends = false;  // or goes on below the frame
    if (!at_foot(point)) {
      ends = point.y - point.ci >= y_.first;
      low = ends ? y_.at(point.y - point.ci) : y_.pixels.first;
    }
    add(R"(<path class="ci" d="M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h7{4}" fill="none" stroke="{5}"/>)", x, high,
        low, x - 3.5, ends ? fmt::format("M{:.1f} {:.1f}h7", x - 3.5, low) : "", series.style.colour);
  }

  void draw_point(const Plot::Series& series, const Plot::Point& point) {
    add(R"svg(<g class="point" transform="translate({})" data-x="{}" data-y="{}" data-ci="{}"{}>)svg"
        R"(<title>{}</title>{}</g>)",
        place(point), point.x, point.y, std::isfinite(point.ci) ? fmt::format("{}", point.ci) : "",
        point.command.empty() ? "" : fmt::format(R"( data-command="{}")", escaped(point.command)),
        escaped(in_words(series, point)), marker(series.style, at_foot(point)));
  }

  std::string in_words(const Plot::Series& series, const Plot::Point& point) const {
    return fmt::format("{}\n{}: {}\n{}: {}{}", series.name, plot_.x_label, brief(point.x), plot_.y_label,
                       brief(point.y), std::isfinite(point.ci) ? " ± " + brief(point.ci) : "");
  }

  void draw_legend() {
    add(R"(<g class="legend">)");
    double y = top_ + 10;
    for (const Plot::Series& series : plot_.series) {
      const double x = kRight + 16;
      add(R"svg(<g transform="translate({:.1f} {:.1f})"><path d="M0 0H{}" {}/>)svg"
          R"svg(<g transform="translate({} 0)">{}</g></g>)svg",
          x, y, kLegendLine, stroke(series.style), kLegendLine / 2, marker(series.style, false));
      text(x + kLegendLine + 8, y + 4.5, "start", shortened(series.name));
      y += 22;
    }
    add("</g>");
  }

  const Plot& plot_;
  bool alone_;
  double top_, bottom_;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Plot& plot, Framing framing) { return Drawing(plot, framing).svg(); }

std::string swatch(const Plot::Style& style) {
  return fmt::format(R"(<svg class="swatch" width="36" height="14" viewBox="0 0 36 14" aria-hidden="true">)"
                     R"svg(<path d="M0 7H36" {}/><g transform="translate(18 7)">{}</g></svg>)svg",
                     stroke(style), marker(style, false));
}

std::string brief(double value) {
  if (!std::isfinite(value)) return "-";
  return fmt::format("{:.4g}", value);
}

}  // namespace telescope::lab
