// The command line. The only header that includes the parser.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "verbs.hpp"

namespace telescope::lab {

void add_bench_verbs(CLI::App& app);
void add_other_verbs(CLI::App& app);

// Adds a verb that runs with its options once the command line is read.
template <class Options>
struct Verb {
  CLI::App* app;
  std::shared_ptr<Options> options;
};
template <class Options>
Verb<Options> add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                       void (*run)(const Options&)) {
  Verb<Options> verb{parent.add_subcommand(name, help), std::make_shared<Options>()};
  verb.app->callback([options = verb.options, run] { run(*options); });
  return verb;
}

template <class Value>
CLI::Option* add_option(CLI::App* app, const std::string& name, Value& value, const std::string& help) {
  return app->add_option(name, value, help)->capture_default_str();
}
template <class Value>
CLI::Option* add_list(CLI::App* app, const std::string& name, std::vector<Value>& values, const std::string& help) {
  return add_option(app, name, values, help)->delimiter(',');
}
// Adds an option that must be above zero.
template <class Value>
CLI::Option* add_count(CLI::App* app, const std::string& name, Value& value, const std::string& help) {
  return add_option(app, name, value, help)->check(CLI::PositiveNumber);
}
inline void add_json(CLI::App* app, bool& json) { app->add_flag("--json", json, "JSON lines instead of a table"); }

// Accepts numbers of slots: multiples of 64.
inline CLI::Validator whole_blocks() {
  const auto wrong = [](const std::string& text) -> std::string {
    std::uint64_t slots = 0;
    const bool number = CLI::detail::lexical_cast(text, slots);
    return number && slots > 0 && slots % 64 == 0 ? "" : "must be a multiple of 64";
  };
  return {wrong, ""};
}

}  // namespace telescope::lab
