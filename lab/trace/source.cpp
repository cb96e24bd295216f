#include "trace/source.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <telescope/hash.hpp>
#include <vector>

#include "io/errors.hpp"
#include "trace/capture.hpp"

namespace telescope::lab {
namespace {

bool ends_with(const std::string& text, std::string_view end) { return std::string_view(text).ends_with(end); }

std::ifstream open(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  // A directory opens, and only reading tells.
  if (!stream || (stream.peek(), stream.bad())) {
    throw LabError("trace " + file + " cannot be read: give a file that exists and is readable");
  }
  return stream;
}

std::string format_of(const TraceOptions& options) {
  std::ifstream stream = open(options.file);
  std::array<unsigned char, 4> start{};
  stream.clear();
  stream.read(reinterpret_cast<char*>(start.data()), start.size());
  const bool capture = looks_like_capture(std::span(start).first(static_cast<std::size_t>(stream.gcount())));
  const bool named_capture = ends_with(options.file, ".pcap") || ends_with(options.file, ".pcapng");
  if (options.format == "pcap" || (options.format == "auto" && named_capture)) {
    if (!capture)
      throw LabError(options.file + " has not the magic number of a capture: give a pcap or pcapng file, or --format");
    return "pcap";
  }
  if (options.format != "auto") return options.format;
  if (capture) return "pcap";
  if (ends_with(options.file, ".u64")) return "u64";
  if (ends_with(options.file, ".csv") || ends_with(options.file, ".tsv")) return "csv";
  return "text";
}

void read_words(const std::string& file, const KeySink& sink) {
  std::ifstream stream = open(file);
  std::vector<unsigned char> chunk(std::size_t{1} << 20);
  for (;;) {
    stream.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (got % 8 != 0) {
      throw LabError(file + " is not a whole number of 64-bit words: it is truncated, or needs another --format");
    }
    for (std::size_t at = 0; at < got; at += 8) {
      std::uint64_t word = 0;
      for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{chunk[at + i]} << (8 * i);
      sink(word);
    }
    if (got < chunk.size()) return;
  }
}

bool next_line(std::ifstream& stream, std::string& line) {
  if (!std::getline(stream, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

std::uint64_t read_lines(const std::string& file, const KeySink& sink) {
  std::ifstream stream = open(file);
  std::uint64_t skipped = 0;
  for (std::string line; next_line(stream, line);) {
    if (line.empty()) {
      ++skipped;
    } else {
      sink(key_of_bytes(line));
    }
  }
  return skipped;
}

// Fields of one line; doubled quotes stand for one.
std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"' && (quoted || fields.back().empty())) {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// A number counts columns from 1 and says that the first line is data; a name is looked up in the first line.
struct Column {
  std::size_t at = 0;
  bool header = false;
};

std::optional<std::size_t> number_in(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(text);
}

Column column_of(const TraceOptions& options, const std::vector<std::string>& first) {
  if (options.column.empty())
    throw LabError(options.file + " has columns: choose one with --column NAME or --column NUMBER");
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == options.column) return {i, true};
  }
  const auto number = number_in(options.column);
  if (number && *number >= 1 && *number <= first.size()) return {*number - 1, false};
  std::string names;
  for (const std::string& name : first) names += (names.empty() ? "" : ", ") + name;
  throw LabError(options.file + " has no column " + options.column + ": choose one of " + names +
                 ", or a number up to " + std::to_string(first.size()));
}

std::uint64_t read_column(const TraceOptions& options, const KeySink& sink) {
  std::ifstream stream = open(options.file);
  const char separator = ends_with(options.file, ".tsv") ? '\t' : ',';
  std::uint64_t skipped = 0, number = 0;
  std::optional<Column> column;
  for (std::string line; next_line(stream, line);) {
    ++number;
    if (line.empty()) {
      ++skipped;
      continue;
    }
    const std::vector<std::string> fields = fields_of(line, separator);
    if (!column) {
      column = column_of(options, fields);
      if (column->header) continue;
    }
    if (fields.size() <= column->at) {
      throw LabError(options.file + " line " + std::to_string(number) + " has only " + std::to_string(fields.size()) +
                     " fields: mend the line, or choose another --column");
    }
    sink(key_of_bytes(fields[column->at]));
  }
  return skipped;
}

}  // namespace

std::uint64_t key_of_bytes(std::string_view bytes) {
  static const Xxh3 hash{Secret{}};
  return hash(bytes).fingerprint;
}

TraceSummary read_trace(const TraceOptions& options, const KeySink& sink) {
  TraceSummary summary;
  summary.format = format_of(options);
  if (summary.format == "pcap") {
    summary.skipped = read_capture(options.file, sink);
  } else if (summary.format == "u64") {
    read_words(options.file, sink);
  } else if (summary.format == "csv") {
    summary.skipped = read_column(options, sink);
  } else {
    summary.skipped = read_lines(options.file, sink);
  }
  return summary;
}

}  // namespace telescope::lab
