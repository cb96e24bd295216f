// Results as rows: JSON lines for programs, an aligned table for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace telescope::lab {

using Row = nlohmann::ordered_json;  // an object; arrays in it appear in JSON only

class Output {
 public:
  explicit Output(bool json) : json_(json) {}

  // Prints JSON at once; a table is printed by finish(), when it is complete.
  void add(const Row& row);
  void finish() const;

 private:
  bool json_;
  std::vector<Row> rows_;
};

// Shows one line on stderr that overwrites itself; says nothing unless stderr is a terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text);

 private:
  bool tty_;
  bool shown_ = false;
};

}  // namespace telescope::lab
