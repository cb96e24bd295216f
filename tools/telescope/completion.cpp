#include "completion.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace telescope::tool {
namespace {

// What may stand where a shell completes.
struct Word {
  std::string text, help;
  bool takes_value = false;
  std::string choices;  // words that a value is one of
};

// "{taf,exaf}" in a check's description are the words that it allows.
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::string words = type.substr(open + 1, close - open - 1);
  for (char& c : words) c = c == ',' ? ' ' : c;
  return words;
}

std::vector<Word> options_of(const CLI::App& verb) {
  std::vector<Word> words;
  for (const CLI::Option* option : verb.get_options()) {
    const bool value = option->get_items_expected_max() > 0;
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, option->get_description(), value, choices_of(*option)});
    }
    for (const std::string& name : option->get_snames()) {
      words.push_back({"-" + name, option->get_description(), value, choices_of(*option)});
    }
  }
  return words;
}

std::string positional_choices(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional() && !choices_of(*option).empty()) return choices_of(*option);
  }
  return {};
}

// For a description in single quotes, with what zsh treats as its own taken out.
std::string zsh_help(std::string help) {
  for (char& c : help) {
    if (c == '\'' || c == '[' || c == ']' || c == ':' || c == '`') c = c == ':' ? ',' : ' ';
  }
  return help;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string verbs, cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    verbs += verb->get_name() + " ";
    std::string flags, values;
    for (const Word& word : options_of(*verb)) {
      flags += word.text + " ";
      if (!word.choices.empty()) {
        values += fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return ;;\n", word.text,
                              word.choices);
      } else if (word.takes_value && word.text != "--to" && word.text != "--directory") {
        values += fmt::format("        {}) return ;;\n", word.text);
      }
    }
    if (!values.empty()) values = fmt::format("      case $prev in\n{}      esac\n", values);
    cases += fmt::format("    {})\n{}      flags=\"{}\"\n      words=\"{}\" ;;\n", verb->get_name(), values, flags,
                         positional_choices(*verb));
  }
  return fmt::format(R"(# bash completion for telescope: printed by `telescope completion bash`.
_telescope() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} flags= words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -o filenames -F _telescope telescope
)",
                     verbs, cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string verbs, cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    verbs += fmt::format("    '{}:{}'\n", verb->get_name(), zsh_help(verb->get_description()));
    std::string arguments;
    for (const Word& word : options_of(*verb)) {
      const std::string value = !word.choices.empty() ? fmt::format(":value:({})", word.choices)
                                : word.takes_value    ? ":value:_files"
                                                      : "";
      arguments += fmt::format("        '{}[{}]{}' \\\n", word.text, zsh_help(word.help), value);
    }
    const std::string choices = positional_choices(*verb);
    arguments += choices.empty() ? "        '*:file:_files' ;;\n" : fmt::format("        '1:value:({})' ;;\n", choices);
    cases += fmt::format("    {})\n      _arguments \\\n{}", verb->get_name(), arguments);
  }
  return fmt::format(R"(#compdef telescope
# zsh completion for telescope: printed by `telescope completion zsh`.
_telescope() {{
  local -a verbs
  verbs=(
{}  )
  if ((CURRENT == 2)); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  ((CURRENT--))
  case $verb in
{}  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _telescope "$@"
else
  compdef _telescope telescope
fi
)",
                     verbs, cases);
}

}  // namespace telescope::tool
