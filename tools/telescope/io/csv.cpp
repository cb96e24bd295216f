#include "csv.hpp"

#include <fmt/core.h>

#include "errors.hpp"

namespace telescope::tool {

bool CsvReader::more() {
  const auto line = input_.until('\n');
  if (!line) return false;
  ++lines_read_;
  record_ += *line;
  return true;
}

bool CsvReader::next() {
  record_.clear();
  if (!more()) return false;
  line_ = lines_read_;
  fields_.assign(1, {});
  bool quoted = false;
  for (std::size_t at = 0;; ++at) {
    if (at == record_.size()) {
      if (!quoted) break;
      record_ += '\n';
      if (record_.size() > Input::kMaxRecord || !more()) {
        throw ToolError(fmt::format("{}:{}: a quoted field does not end: close it with \"", input_.name(), line_));
      }
    }
    const char c = record_[at];
    if (quoted && c == '"' && at + 1 < record_.size() && record_[at + 1] == '"') {
      fields_.back() += '"';
      ++at;
    } else if (c == '"' && (quoted || fields_.back().empty())) {
      quoted = !quoted;
    } else if (!quoted && c == separator_) {
      fields_.emplace_back();
    } else if (!quoted && c == '\r' && at + 1 == record_.size()) {
      break;  // of CRLF
    } else {
      fields_.back() += c;
    }
  }
  return true;
}

}  // namespace telescope::tool
