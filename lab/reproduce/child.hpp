// Runs a command of this very program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output.hpp"

namespace telescope::lab {

std::filesystem::path own_program();

// With --json; the rows that it prints. Throws LabError, with what it said on stderr, if it fails.
std::vector<Row> run_child(const std::vector<std::string>& arguments);

}  // namespace telescope::lab
