// What a figure or a claim needs to have run. A job is a command of this program and nothing else: what the report
// prints for a point is what was run for it.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/output.hpp"
#include "rows.hpp"

namespace telescope::lab {

enum class Scale { quick, paper };

struct Setting {
  Scale scale = Scale::quick;
  std::vector<std::string> traces;  // files for the figure of traces

  template <class T>
  T pick(T quick, T paper) const {
    return scale == Scale::quick ? std::move(quick) : std::move(paper);
  }
  unsigned seeds() const { return pick(2u, 10u); }
};

struct Job {
  std::vector<std::string> arguments;  // of telescope-lab, without --json
  double cost = 1;                     // seconds, roughly: for the estimate of what is left
  bool timed = false;                  // measures speed, so nothing may run beside it

  std::string command() const;  // as one would type it in a shell; tells jobs apart
};

// Makes a job of a text such as "fpr --as 10", whose words have no spaces.
Job job(std::string_view text, double cost, bool timed = false);

// The rows of the jobs that have finished.
class Results {
 public:
  void add(const std::string& command, std::vector<Row> rows) { by_command_[command] = std::move(rows); }
  bool contains(const std::string& command) const { return by_command_.contains(command); }

  // Returns the rows of a job. Throws LabError if it has not run.
  const std::vector<Row>& rows(const Job& job) const;

  using Fields = std::initializer_list<std::pair<const char*, Row>>;
  // Returns the first row of the job in which all fields have these values. Throws LabError if there is none.
  const Row& row(const Job& job, Fields fields) const;
  double number(const Job& job, Fields fields, const char* field) const { return row(job, fields).at(field); }

  const std::map<std::string, std::vector<Row>>& all() const noexcept { return by_command_; }

 private:
  std::map<std::string, std::vector<Row>> by_command_;
};

// Returns the word in single quotes if a shell would read it otherwise.
std::string shell_quoted(const std::string& word);

// Returns the line that runs a command from a clone.
inline std::string to_rerun(const std::string& command) { return "./run lab " + command; }

}  // namespace telescope::lab
