// Keys out of a file, one access after the other.
//
//   u64    little-endian 64-bit words, as they are
//   text   a key to a line
//   csv    a column, by name or by number from 1; fields may be quoted; .tsv: separated by tabs
//   pcap   a packet's flow: protocol, addresses and ports, IPv4 or IPv6; pcapng as well (capture.hpp)
//
// Keys that are not words are hashed to 64 bits, the same in every run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace telescope::lab {

struct TraceOptions {
  std::string file;
  std::string format = "auto";  // auto, u64, text, csv, pcap
  std::string column = "";      // of a csv
};

struct TraceSummary {
  std::string format;
  std::uint64_t skipped = 0;  // packets that are not IP, empty lines
};

using KeySink = std::function<void(std::uint64_t)>;

// Throws LabError, in one line with the remedy: no such file, not of that format, truncated, no such column.
TraceSummary read_trace(const TraceOptions& options, const KeySink& sink);

// What a key that is not a word is taken for.
std::uint64_t key_of_bytes(std::string_view bytes);

}  // namespace telescope::lab
