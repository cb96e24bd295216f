#include "trace/source.hpp"

#include <fmt/core.h>

#include <fstream>
#include <telescope/hash.hpp>
#include <vector>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

std::ifstream open(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  // A directory opens, and only reading tells.
  if (!stream || (stream.peek(), stream.bad())) {
    throw LabError(fmt::format("trace {} cannot be read: give a file that exists and is readable", file));
  }
  stream.clear();
  return stream;
}

void read_words(const std::string& file, const KeySink& sink) {
  std::ifstream stream = open(file);
  std::vector<unsigned char> chunk(std::size_t{1} << 20);
  for (;;) {
    stream.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (got % 8 != 0) {
      throw LabError(
          fmt::format("{} is not a whole number of 64-bit words: it is truncated, or needs --format text", file));
    }
    for (std::size_t at = 0; at < got; at += 8) {
      std::uint64_t word = 0;
      for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{chunk[at + i]} << (8 * i);
      sink(word);
    }
    if (got < chunk.size()) return;
  }
}

std::uint64_t read_lines(const std::string& file, const KeySink& sink) {
  std::ifstream stream = open(file);
  std::uint64_t skipped = 0;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    // A capture or another binary file as text would be one experiment after the other on noise.
    if (line.find('\0') != std::string::npos) {
      throw LabError(
          fmt::format("{} is not a text file, a key to a line: convert it (docs/lab.md), or take --format u64", file));
    }
    if (line.empty()) {
      ++skipped;
    } else {
      sink(key_of_bytes(line));
    }
  }
  return skipped;
}

}  // namespace

bool holds_words(const TraceOptions& options) {
  return options.format == "u64" || (options.format == "auto" && options.file.ends_with(".u64"));
}

std::uint64_t key_of_bytes(std::string_view bytes) {
  static const Xxh3 hash{Secret{}};
  return hash(bytes).fingerprint;
}

std::uint64_t read_trace(const TraceOptions& options, const KeySink& sink) {
  if (!holds_words(options)) return read_lines(options.file, sink);
  read_words(options.file, sink);
  return 0;
}

}  // namespace telescope::lab
