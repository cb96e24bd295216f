// Reads keys in batches and hands each to a verb: what add, check, get and remove have in common.
#pragma once

#include <functional>
#include <telescope/guard.hpp>

#include "io/batch.hpp"
#include "verbs.hpp"

namespace telescope::tool {

struct BatchesReport {
  std::uint64_t keys = 0;     // that went through
  std::uint64_t members = 0;  // of the set, then
  int signal = 0;             // that ended it early, or 0
  double seconds = 0;
};

// Calls `work` with up to some thousand keys at a time, until the input ends or a signal comes, then saves the set (if
// it is to be saved). If a record is bad, what came before it is worked on, then the error is thrown with a word on how
// far it came: "(16 keys before it are done)". Whatever ends it, the set is saved if it can be.
BatchesReport for_each_batch(Guard& guard, const KeyOptions& options, const char* doing, std::string_view value,
                             const std::function<void(Batch&)>& work);

// After a signal: says on stderr how far it came, and returns its exit code. Else `code`.
ExitCode exit_code_of(const BatchesReport& report, ExitCode code);

}  // namespace telescope::tool
