// One axis of a plot: which values it spans, where a value lies, and at which round values it has its ticks.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace telescope::lab {

// Collects the values that an axis has to show. A logarithmic axis has no place for zero and less: they go to its foot.
class Extent {
 public:
  explicit Extent(bool logarithmic) : logarithmic_(logarithmic) {}

  void add(double value);  // NaN and infinity are no values
  bool empty() const { return least_ > most_; }
  bool logarithmic() const { return logarithmic_; }
  bool has_foot() const { return has_foot_; }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  bool logarithmic_;
  bool has_foot_ = false;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

struct Axis {
  struct Pixels {
    double first, last;
  };
  struct Tick {
    double value;
    std::string label;  // empty: a line of the grid and no more
  };

  bool logarithmic;
  double first, last;  // values
  Pixels pixels;       // of these
  double foot;         // pixel of zero and less, if logarithmic

  double at(double value) const;
  bool has_foot() const { return foot != pixels.first; }
  // Returns round values between first and last, and in the margin of `beyond` pixels before and after them.
  std::vector<Tick> ticks(double beyond = 0) const;
};

// Returns an axis that ends at the least and at the largest value.
Axis tight_axis(const Extent& extent, Axis::Pixels pixels);
// Returns an axis that ends at round values; a linear one starts at zero unless that would waste most of it.
Axis round_axis(const Extent& extent, Axis::Pixels pixels);

// Returns the value as people write it: 0.95, 20, 10⁻⁵, 2·10⁻⁵.
std::string tick_label(double value);

}  // namespace telescope::lab
