// json_check one|lines [/pointer=value...] <text: is it one JSON value, or one on each line, and is that in the last
// one?
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

using nlohmann::json;

namespace {

bool holds(const json& value, const std::string& claim) {
  const auto equals = claim.find('=');
  const json wanted = json::parse(claim.substr(equals + 1));
  const json::json_pointer place(claim.substr(0, equals));
  if (value.contains(place) && value.at(place) == wanted) return true;
  std::cerr << "not so: " << claim << '\n';
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  json value;
  if (std::string(argv[1]) == "one") {
    value = json::parse(std::cin);
  } else {
    for (std::string line; std::getline(std::cin, line);) value = json::parse(line);
  }
  bool all = true;
  for (int i = 2; i < argc; ++i) all = holds(value, argv[i]) && all;
  return all ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
