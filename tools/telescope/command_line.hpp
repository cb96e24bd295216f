#pragma once

#include "verbs.hpp"

namespace telescope::tool {

// Parses the arguments and calls the verb they name.
ExitCode run_command_line(int argc, char** argv);

}  // namespace telescope::tool
