
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <telescope/flavour.hpp>
#include <thread>
#include <vector>

#include "commit.hpp"
#include "contestants/make_filter.hpp"
#include "reproduce/journal.hpp"

namespace telescope::lab {
namespace {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};
  return uname(&system) == 0 ? std::string(system.machine) : "unknown";
}

// Of the program's bytes: a build that has changed has other results.
std::string fingerprint() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return fmt::format("{:016x}", Xxh3{Secret{}}(std::string_view(bytes)).position);
}

std::vector<unsigned> seeds_of(const Setting& setting) {
  std::vector<unsigned> seeds;
  for (unsigned seed = 1; seed <= setting.seeds(); ++seed) seeds.push_back(seed);
  return seeds;
}

}  // namespace

Row make_manifest(const Setting& setting) {
  Row manifest;
  manifest["program"] = "telescope-lab " TELESCOPE_VERSION;
  manifest["commit"] = TELESCOPE_COMMIT;
  manifest["build"] = fingerprint();
  manifest["compiler"] = fmt::format("{} {}", TELESCOPE_COMPILER, __VERSION__);
  manifest["instructions"] = std::string(to_string(flavour()));
  manifest["cpu"] = cpu_name();
  manifest["cores"] = std::thread::hardware_concurrency();
  manifest["scale"] = setting.scale == Scale::quick ? "quick" : "paper";
  manifest["seeds"] = seeds_of(setting);
  if (!setting.traces.empty()) manifest["traces"] = setting.traces;
  manifest["date"] = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  return manifest;
}

}  // namespace telescope::lab
