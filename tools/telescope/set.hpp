// A set in a directory: the one place that knows how it is laid out, and says what is wrong with one.
//
//   DIR/store/         the members: RocksDB
//   DIR/filter.tsnap   the filter as it was last saved; without it, it is made from the store
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <telescope/guard.hpp>

#include "io/progress.hpp"

namespace telescope::tool {

std::filesystem::path store_of(const std::string& directory);
std::filesystem::path snapshot_of(const std::string& directory);

bool holds_set(const std::string& directory);

// Each throws ToolError with the directory and the remedy in it. While the filter is made from the store they show how
// far it is, on a terminal.
Guard create_set(const std::string& directory, const SetOptions& set);
Guard open_set(const std::string& directory);

// Shows every member to `visit`, until that returns false. What it throws does not fly through the store.
void for_each_member(Guard& guard, const std::function<bool(const Entry&)>& visit);

// Saves the filter, if it changed or was made anew.
void close_set(Guard& guard, const std::string& directory);

}  // namespace telescope::tool
