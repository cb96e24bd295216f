// The options of a trace, for every verb that reads one.
#pragma once

#include <CLI/CLI.hpp>

#include "trace/source.hpp"

namespace telescope::lab {

inline void add_trace_options(CLI::App& verb, TraceOptions& options) {
  verb.add_option("--format", options.format, "of the trace; auto: by its first bytes and its name")
      ->check(CLI::IsMember({"auto", "u64", "text", "csv", "pcap"}))
      ->capture_default_str();
  verb.add_option("--column", options.column, "of a csv trace: a name of its first line, or a number from 1");
}

}  // namespace telescope::lab
