#include "bench/life/life.hpp"
#include "measure/statistics.hpp"

namespace telescope::lab {

Row Pairs::row(const std::string& what, const std::string& unit, const std::string& against, bool more) const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours_.size(); ++i) {
    ratios.push_back(more ? ours_[i] / theirs_[i] : theirs_[i] / ours_[i]);
  }
  Row row = life_row(what, unit, median(ours_), against, median(theirs_), median(ratios));
  row["ratio_by_repetition"] = ratios;
  return row;
}

Row Pairs::more_is_better(const std::string& what, const std::string& unit, const std::string& against) const {
  return row(what, unit, against, true);
}

Row Pairs::less_is_better(const std::string& what, const std::string& unit, const std::string& against) const {
  return row(what, unit, against, false);
}

}  // namespace telescope::lab
