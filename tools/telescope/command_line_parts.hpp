// What the files of the command line share: how options that several verbs have are spelled.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "verbs.hpp"

namespace telescope::tool {

// The parser, whose callbacks put the exit code beside it.
struct Program {
  CLI::App app;
  ExitCode exit_code = kYes;
};

// Each adds some verbs.
void add_set_verbs(Program& program);    // create, stat, verify, rebuild, resize, snapshot
void add_key_verbs(Program& program);    // add, check, get, remove, list, export, import
void add_other_verbs(Program& program);  // plan, demo, completion, version

std::uint64_t count_or_throw(const std::string& name, const std::string& text);
// A number such as 1000000, 1e6, 10M or 2^20, for a std::uint64_t or an optional one.
template <class Count>
CLI::Option* add_count(CLI::App* verb, const std::string& name, Count& target, const std::string& help) {
  const auto put = [name, &target](const std::string& text) { target = count_or_throw(name, text); };
  return verb->add_option_function<std::string>(name, put, help)->type_name("N");
}
// --fpr or --width, which say the same.
void add_rate(CLI::App* verb, unsigned& width);
void add_filter_kind(CLI::App* verb, FilterKind& kind);

inline void add_json(CLI::App* verb, bool& json, const std::string& help = "Print JSON") {
  verb->add_flag("--json", json, help);
}

template <class Options>
struct Verb {
  CLI::App* verb;
  std::shared_ptr<Options> options;  // live as long as the parser does
};

template <class Options>
Verb<Options> add_verb(Program& program, const char* name, const char* help, ExitCode (*run)(const Options&)) {
  CLI::App* verb = program.app.add_subcommand(name, help);
  const auto options = std::make_shared<Options>();
  verb->callback([options, run, &program] { program.exit_code = run(*options); });
  return {verb, options};
}

// One whose first argument is the set's directory.
template <class Options>
Verb<Options> add_verb_of_set(Program& program, const char* name, const char* help, ExitCode (*run)(const Options&),
                              const char* directory_help = "The set's directory") {
  const auto added = add_verb(program, name, help, run);
  added.verb->add_option("DIR", added.options->directory, directory_help)->required();
  return added;
}

}  // namespace telescope::tool
