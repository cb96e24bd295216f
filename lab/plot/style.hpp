// What tells the series of a plot apart: colours, and shapes for where there is no colour.
#pragma once

#include <array>
#include <cstddef>

namespace telescope::lab {

// Okabe and Ito's colours, told apart with any eyes. Their yellow is too pale for a line on white.
namespace colour {
inline constexpr const char* kBlue = "#0072B2";
inline constexpr const char* kVermilion = "#D55E00";
inline constexpr const char* kGreen = "#009E73";
inline constexpr const char* kPurple = "#CC79A7";
inline constexpr const char* kOrange = "#E69F00";
inline constexpr const char* kSky = "#56B4E9";
inline constexpr const char* kBlack = "#000000";
inline constexpr const char* kGrey = "#555555";
}  // namespace colour

enum class Marker {
  disc,
  square,
  triangle,
  triangle_down,
  diamond,
  plus,
  cross,
  star,
  triangle_left,
  triangle_right,
  pentagon,
  hourglass,
};
inline constexpr std::size_t kMarkers = 12;

// Returns the path of an SVG, around the origin, about 10 pixels wide. All have an inside, so that all can be drawn
// open.
constexpr const char* outline(Marker marker) {
  constexpr std::array<const char*, kMarkers> kOutlines = {
      "M-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0z",
      "M-4-4H4V4H-4z",
      "M0-5.2L5 3.8H-5z",
      "M0 5.2L5-3.8H-5z",
      "M0-5.8L5 0 0 5.8-5 0z",
      "M-1.6-5H1.6V-1.6H5V1.6H1.6V5H-1.6V1.6H-5V-1.6H-1.6z",
      "M2.4-4.7L4.7-2.4 2.3 0 4.7 2.4 2.4 4.7 0 2.3-2.4 4.7-4.7 2.4-2.3 0-4.7-2.4-2.4-4.7 0-2.3z",
      "M0-6L1.5-2.1 5.7-1.9 2.5.8 3.5 4.9 0 2.6-3.5 4.9-2.5.8-5.7-1.9-1.5-2.1z",
      "M-5.2 0L3.8-5V5z",
      "M5.2 0L-3.8-5V5z",
      "M0-5.2L4.9-1.6 3.1 4.2H-3.1L-4.9-1.6z",
      "M-4.6-5H4.6L-4.6 5H4.6z",
  };
  return kOutlines[static_cast<std::size_t>(marker)];
}

}  // namespace telescope::lab
