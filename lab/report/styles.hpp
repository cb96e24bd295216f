// A filter looks the same in every panel, and, if we know it, in every report.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plot/plot.hpp"
#include "report/report.hpp"

namespace telescope::lab {

class Styles {
 public:
  struct Filter {
    std::string filter, name;
  };

  explicit Styles(const Report& report);

  const Plot::Style& of(const std::string& filter) const { return styles_.at(filter); }
  // Returns the filters in the order in which the panels show them, each once.
  const std::vector<Filter>& filters() const { return filters_; }

 private:
  Plot::Style unused() const;

  std::vector<Filter> filters_;
  std::map<std::string, Plot::Style> styles_;
};

// Returns what a panel shows, ready to be drawn.
Plot plot_of(const Panel& panel, const Styles& styles);

}  // namespace telescope::lab
