// The verbs that need no set.
#include <fmt/core.h>

#include "command_line_parts.hpp"
#include "completion.hpp"

namespace telescope::tool {
namespace {

void add_plan(Program& program) {
  const auto [verb, options] = add_verb(program, "plan", "What a set would cost, and what the filter would save", plan);
  add_count(verb, "--keys", options->keys, "Keys in the set")->required();
  add_rate(verb, options->bits);
  add_filter_kind(verb, options->filter);
  verb->add_option("--load", options->load, "Part of the slots that is used")
      ->check(CLI::Range(0.05, 0.99))
      ->capture_default_str();
  add_count(verb, "--unique-negatives", options->unique_negatives, "Different absent keys that are asked for")
      ->default_str("10 for each key");
  add_count(verb, "--queries", options->queries, "Queries for absent keys in all")
      ->default_str("10 for each unique negative");
  verb->add_option("--store-read-us", options->store_read_us, "What a read of the store takes, in microseconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_count(verb, "--key-bytes", options->key_bytes, "Length of a key")->default_str("16");
  add_count(verb, "--value-bytes", options->value_bytes, "Length of a value")->default_str("100");
  add_json(verb, options->json);
}

void add_demo(Program& program) {
  CLI::App* verb = program.app.add_subcommand("demo", "Watch four ways to ask a store for keys that it does not hold");
  const auto options = std::make_shared<DemoOptions>();
  add_count(verb, "--keys", options->keys, "Members of the set, 1000 to 100M")->default_str("1000000");
  CLI::Option* seed = verb->add_option("--seed", options->seed, "Make the run repeatable (default: random)");
  verb->add_option("--directory", options->directory, "Where to put the sets while it runs")->type_name("DIR");
  add_json(verb, options->json);
  verb->callback([options, seed, &program] {
    if (options->keys < 1'000 || options->keys > 100'000'000) {
      throw CLI::ValidationError("--keys", "choose 1000 to 100M");
    }
    if (seed->count() == 0) options->seed = Secret::random().words[0];
    program.exit_code = demo(*options);
  });
}

void add_completion(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("completion", "Print a script that completes commands in bash or zsh");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  verb->callback([&app, shell] { fmt::print("{}", *shell == "bash" ? bash_completion(app) : zsh_completion(app)); });
}

void add_version(Program& program) {
  const auto [verb, options] = add_verb(program, "version", "Print the version", version);
  add_json(verb, options->json);
}

}  // namespace

void add_other_verbs(Program& program) {
  add_plan(program);
  add_demo(program);
  add_completion(program.app);
  add_version(program);
}

}  // namespace telescope::tool
