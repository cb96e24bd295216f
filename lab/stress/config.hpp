// What is stressed, and with what kind of hashes.
#pragma once

#include <cstdint>
#include <string>
#include <telescope/any_filter.hpp>
#include <vector>

#include "workloads/random.hpp"

namespace telescope::lab {

enum class Shape {
  uniform,    // what a good hash gives
  tight,      // the first chunks of W have few values: many false positives, many equal remainders in a run
  clustered,  // positions crowd together: long runs, offsets beyond eight bits
};

constexpr const char* to_string(Shape shape) noexcept {
  switch (shape) {
    case Shape::uniform: return "uniform";
    case Shape::tight: return "tight";
    case Shape::clustered: return "clustered";
  }
  return "unknown";
}

inline Hash random_hash(Shape shape, Random& random) noexcept {
  Hash hash{random.next(), random.next()};
  if (shape == Shape::tight) hash.fingerprint &= 0xffffffff03030303u;
  if (shape == Shape::clustered) hash.position = (hash.position >> 7) | (random.below(4) << 62);
  return hash;
}

// A negative that a fresh slot of `member` takes for it: same quotient (but for a chance of slots / 2^32), and a W that
// differs first at a random bit.
inline Hash near_miss(const Hash& member, Random& random) noexcept {
  const std::uint64_t low = random.next() >> 32;
  const std::uint64_t noise = random.next() | 1;
  return {member.position ^ low, member.fingerprint ^ (noise << random.below(64))};
}

struct StressConfig {
  FilterKind kind;
  std::string filter;
  unsigned width;
  Overflow overflow;
  std::uint64_t slots;
  Shape shape;
  std::uint64_t ops = 0;
  std::uint64_t seed = 0;
};

// Every kind x width x overflow policy x size x shape, with `ops` shared out: a larger filter needs more to fill.
std::vector<StressConfig> stress_configs(const std::vector<std::string>& filters, std::uint64_t ops,
                                         std::uint64_t seed);

}  // namespace telescope::lab
