// What the demo has to show: one row for each contestant on each course.
#pragma once

#include <string>
#include <vector>

#include "../io/output.hpp"
#include "race.hpp"

namespace telescope::contest {

struct Row {
  Kind kind = Kind::none;
  Race race;
  std::uint64_t filter_bytes = 0;
  double part = 1;  // of the course that was run; the rest is by proportion
};

struct Course {
  std::string name, about;
  std::uint64_t warm_up = 0, after = 0;
  std::vector<Row> rows;
};

struct Contest {
  std::uint64_t members = 0, unique = 0, seed = 0;
  std::vector<Course> courses;
  double seconds = 0;  // all of it, stores made included
};

void print_contest(const Contest& contest, tool::Output& out);
tool::Json to_json(const Contest& contest);

}  // namespace telescope::contest
