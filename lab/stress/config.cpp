#include "stress/config.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

struct Named {
  const char* name;
  FilterKind kind;
  bool overflows;  // has codes that can
};

constexpr std::array kKinds = {Named{"rsqf", FilterKind::rsqf, false}, Named{"taf", FilterKind::taf, true},
                               Named{"utaf", FilterKind::utaf, false}, Named{"exaf", FilterKind::exaf, true}};
constexpr std::array kWidths = {4u, 7u, 8u, 11u, 16u};
constexpr std::array<std::uint64_t, 3> kSlots = {64, 960, 65536};
constexpr std::uint64_t kLargest = 4096;  // of the clustered ones: their inserts shift half the filter

bool chosen(const std::vector<std::string>& filters, const std::string& name) {
  return std::any_of(filters.begin(), filters.end(), [&](const std::string& f) { return f == "all" || f == name; });
}

void check_names(const std::vector<std::string>& filters) {
  for (const std::string& filter : filters) {
    const bool known =
        filter == "all" || std::any_of(kKinds.begin(), kKinds.end(), [&](const Named& n) { return filter == n.name; });
    if (!known) throw LabError(fmt::format("no filter {}: choose all, rsqf, taf, utaf or exaf", filter));
  }
}

void add_sizes(const Named& named, unsigned width, Overflow overflow, std::vector<StressConfig>& configs) {
  for (const std::uint64_t slots : kSlots) {
    for (const Shape shape : {Shape::uniform, Shape::tight, Shape::clustered}) {
      if (shape == Shape::clustered && slots > kLargest) continue;
      configs.push_back({named.kind, named.name, width, overflow, slots, shape});
    }
  }
}

std::uint64_t weight(const StressConfig& config) { return config.slots > kLargest ? 4 : 1; }

}  // namespace

std::vector<StressConfig> stress_configs(const std::vector<std::string>& filters, std::uint64_t ops,
                                         std::uint64_t seed) {
  check_names(filters);
  std::vector<StressConfig> configs;
  for (const Named& named : kKinds) {
    if (!chosen(filters, named.name)) continue;
    for (const unsigned width : kWidths) {
      add_sizes(named, width, Overflow::evict, configs);
      if (named.overflows) add_sizes(named, width, Overflow::reset, configs);
    }
  }
  std::uint64_t weights = 0;
  for (const StressConfig& config : configs) weights += weight(config);
  for (StressConfig& config : configs) {
    config.ops = ops / weights * weight(config) + 1;
    config.seed = mix64(seed + static_cast<std::uint64_t>(&config - configs.data()));
  }
  return configs;
}

}  // namespace telescope::lab
