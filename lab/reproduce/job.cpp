#include "reproduce/job.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "io/errors.hpp"

namespace telescope::lab {

std::string shell_quoted(const std::string& word) {
  const auto plain = [](char c) {
    return std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%").find(c) !=
           std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string made = "'";
  for (const char c : word) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

static bool has(const Row& row, const std::pair<const char*, Row>& field) {
  const auto found = row.find(field.first);
  return found != row.end() && *found == field.second;
}

std::string Job::command() const {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : " ") + shell_quoted(argument);
  return text;
}

Job job(std::string_view text, double cost, bool timed) {
  Job made{.arguments = {}, .cost = cost, .timed = timed};
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) made.arguments.push_back(word);
  return made;
}

const std::vector<Row>& Results::rows(const Job& job) const {
  const auto found = by_command_.find(job.command());
  if (found == by_command_.end()) throw LabError("has not run: " + job.command());
  return found->second;
}

const Row& Results::row(const Job& job, Fields fields) const {
  for (const Row& row : rows(job)) {
    if (std::all_of(fields.begin(), fields.end(), [&](const auto& field) { return has(row, field); })) return row;
  }
  std::string wanted;
  for (const auto& [name, value] : fields) wanted += fmt::format(" {} = {}", name, value.dump());
  throw LabError(fmt::format("{}: no row with{}", job.command(), wanted));
}

}  // namespace telescope::lab
