// What the files of the command line share: how options that several verbs have are spelled.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "verbs.hpp"

namespace telescope::tool {

// Each adds some verbs to the program. Their callbacks put the exit code where it says.
void add_set_verbs(CLI::App& app, ExitCode& exit_code);    // create, stat, verify, rebuild, resize, snapshot
void add_key_verbs(CLI::App& app, ExitCode& exit_code);    // add, check, get, remove, list, export, import
void add_other_verbs(CLI::App& app, ExitCode& exit_code);  // plan, demo, completion, version

// A number such as 1000000, 1e6, 10M or 2^20.
CLI::Option* add_count(CLI::App* verb, const std::string& name, std::uint64_t& target, const std::string& help);
CLI::Option* add_count(CLI::App* verb, const std::string& name, std::optional<std::uint64_t>& target,
                       const std::string& help);
// --fpr or --bits, which say the same.
void add_rate(CLI::App* verb, unsigned& bits);
void add_filter_kind(CLI::App* verb, FilterKind& kind);

inline void add_json(CLI::App* verb, bool& json, const std::string& help = "Print JSON") {
  verb->add_flag("--json", json, help);
}
inline void add_directory(CLI::App* verb, std::string& directory, const std::string& help = "The set's directory") {
  verb->add_option("DIR", directory, help)->required();
}

// The verb's options live as long as the parser does.
template <class Options>
std::shared_ptr<Options> on_parsed(CLI::App* verb, ExitCode& exit_code, ExitCode (*run)(const Options&)) {
  auto options = std::make_shared<Options>();
  verb->callback([options, run, &exit_code] { exit_code = run(*options); });
  return options;
}

}  // namespace telescope::tool
