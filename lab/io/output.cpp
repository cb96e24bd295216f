#include "io/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace telescope::lab {
namespace {

std::string number(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 0.001) return fmt::format("{:.3g}", value);
  if (size < 1) return fmt::format("{:.4f}", value);
  return fmt::format("{:.2f}", value);
}

std::string cell(const Row& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number(value.get<double>());
  return value.dump();
}

struct Column {
  std::string name;
  std::size_t width;
  bool left;
};

std::vector<Column> columns_of(const std::vector<Row>& rows) {
  std::vector<Column> columns;
  for (const auto& [name, value] : rows.front().items()) {
    if (value.is_array()) continue;
    Column column{name, name.size(), true};
    for (const Row& row : rows) {
      const Row field = row.value(name, Row());
      column.width = std::max(column.width, cell(field).size());
      column.left = column.left && field.is_string();
    }
    columns.push_back(column);
  }
  return columns;
}

void print_cell(const Column& column, const std::string& text, bool last) {
  if (column.left) {
    fmt::print("{:<{}}", text, last ? 0 : column.width);
  } else {
    fmt::print("{:>{}}", text, column.width);
  }
  fmt::print("{}", last ? "\n" : "  ");
}

}  // namespace

void Output::add(const Row& row) {
  if (!json_) {
    rows_.push_back(row);
    return;
  }
  fmt::print("{}\n", row.dump());
  std::fflush(stdout);
}

void Output::finish() const {
  if (json_ || rows_.empty()) return;
  const std::vector<Column> columns = columns_of(rows_);
  for (const Column& column : columns) print_cell(column, column.name, &column == &columns.back());
  for (const Row& row : rows_) {
    for (const Column& column : columns) {
      print_cell(column, cell(row.value(column.name, Row())), &column == &columns.back());
    }
  }
}

Progress::Progress() : tty_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(const std::string& text) {
  if (!tty_) return;
  shown_ = true;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

}  // namespace telescope::lab
