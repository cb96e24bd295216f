// Keys out of a file, one access after the other.
//
//   u64    little-endian 64-bit words, as they are
//   text   a key to a line, hashed to 64 bits, the same in every run
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "verbs.hpp"

namespace telescope::lab {

using KeySink = std::function<void(std::uint64_t)>;

// Returns how many lines were empty and were skipped. Throws LabError, in one line with the remedy, if the file cannot
// be read, is truncated, or is not a trace.
std::uint64_t read_trace(const TraceOptions& options, const KeySink& sink);

// Returns whether the options, or else the name of the file, say that it holds words.
bool holds_words(const TraceOptions& options);

// Returns the word that stands for a key which is not one.
std::uint64_t key_of_bytes(std::string_view bytes);

}  // namespace telescope::lab
