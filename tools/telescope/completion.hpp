// Completion scripts, made from the parser's own tree of verbs and options, so that they cannot fall behind it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace telescope::tool {

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace telescope::tool
