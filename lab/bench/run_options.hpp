// The options that every interleaved run has.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/interleaved.hpp"

namespace telescope::lab {

// For a number of slots.
inline CLI::Validator whole_blocks() {
  const auto wrong = [](const std::string& text) -> std::string {
    std::uint64_t slots = 0;
    const bool number = CLI::detail::lexical_cast(text, slots);
    return number && slots > 0 && slots % 64 == 0 ? "" : "must be a multiple of 64";
  };
  return {wrong, ""};
}

inline void add_run_options(CLI::App& verb, RunOptions& run) {
  verb.add_option("--slots", run.slots, "slots of each filter, a multiple of 64")
      ->check(whole_blocks())
      ->capture_default_str();
  verb.add_option("--load", run.load, "members per slot")->check(CLI::Range(0.01, 1.0))->capture_default_str();
  verb.add_option("--reps", run.reps, "repetitions; the median counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb.add_option("--unique-negatives", run.unique_negatives, "unique negatives per member to adapt on")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb.add_option("--probes", run.probes, "queries per operation")->check(CLI::PositiveNumber)->capture_default_str();
  verb.add_option("--seed", run.seed, "first seed; each repetition takes the next")->capture_default_str();
}

}  // namespace telescope::lab
