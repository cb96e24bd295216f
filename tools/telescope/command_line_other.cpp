// The verbs that need no set.
#include <fmt/core.h>

#include "command_line_parts.hpp"
#include "completion.hpp"

namespace telescope::tool {
namespace {

void add_plan(Program& program) {
  const auto [verb, options] =
      add_verb(program, "plan", "Tell what a set would cost and what its filter would save", plan);
  add_count(verb, "--keys", options->keys, "Keys in the set")->required();
  add_rate(verb, options->width);
  add_filter_kind(verb, options->filter);
  verb->add_option("--load", options->load, "Share of the slots that hold a key")
      ->check(CLI::Range(0.05, 0.99))
      ->capture_default_str();
  add_count(verb, "--unique-negatives", options->unique_negatives, "How many different absent keys are asked for")
      ->default_str("ten for each key");
  add_count(verb, "--queries", options->queries, "How many queries for absent keys there are in all")
      ->default_str("ten for each different absent key");
  verb->add_option("--store-read-us", options->store_read_us, "How long a read of the store takes, in microseconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_count(verb, "--key-bytes", options->key_bytes, "Length of a key")->default_str("16");
  add_count(verb, "--value-bytes", options->value_bytes, "Length of a value")->default_str("100");
  add_json(verb, options->json);
}

void add_demo(Program& program) {
  CLI::App* verb = program.app.add_subcommand("demo", "Watch four ways to ask a store for keys that it does not hold");
  const auto options = std::make_shared<DemoOptions>();
  add_count(verb, "--keys", options->keys, "How many keys the set holds, 1000 to 100M")->default_str("1000000");
  CLI::Option* seed = verb->add_option("--seed", options->seed, "Makes the run repeatable (default: random)");
  verb->add_option("--directory", options->directory, "Where the sets are while it runs")->type_name("DIR");
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
