// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace telescope::lab {

// Writes beside `file` under another name, then renames. Throws LabError if that cannot be done.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace telescope::lab
