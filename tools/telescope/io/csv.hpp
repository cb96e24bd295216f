// Comma-separated values (RFC 4180): fields may be quoted, and then hold commas, quotes (doubled) and ends of line.
#pragma once

#include <string>
#include <vector>

#include "input.hpp"

namespace telescope::tool {

class CsvReader {
 public:
  CsvReader(Input& input, char separator) : input_(input), separator_(separator) {}

  // Reads the next record into fields(). False at the end.
  bool next();
  const std::vector<std::string>& fields() const noexcept { return fields_; }
  std::uint64_t line() const noexcept { return line_; }  // where the record begins, from 1

 private:
  bool more();  // the next line of a record that goes on

  Input& input_;
  char separator_;
  std::uint64_t line_ = 0, lines_read_ = 0;
  std::string record_;
  std::vector<std::string> fields_;
};

}  // namespace telescope::tool
