#include "forecast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <telescope/options.hpp>

namespace telescope::tool {
namespace {

// False positives per query, as a part of e, once the filter has settled, over x.
// telescope-lab fpr --as 5,10,20,30,40,50,60,80,100,140 --filters taf,exaf --slots 16384 --json, with --passes 20 and
// 60: the difference of the two, over 40 passes. r = 8, load .95, so x = .95/256 for each unique negative per member.
struct Point {
  double x, part;
};
constexpr auto kTaf = std::to_array<Point>({{0, 0},
                                            {.0371, 0},
                                            {.0742, .0035},
                                            {.1113, .0049},
                                            {.1484, .0299},
                                            {.1855, .0862},
                                            {.2227, .1608},
                                            {.2969, .3665},
                                            {.3711, .5296},
                                            {.5195, .7173}});
constexpr auto kExaf = std::to_array<Point>({{0, 0},
                                             {.0186, 0},
                                             {.0371, .0242},
                                             {.0742, .1108},
                                             {.1113, .2395},
                                             {.1484, .3844},
                                             {.1855, .4827},
                                             {.2227, .5568},
                                             {.2969, .6580},
                                             {.3711, .7216},
                                             {.5195, .7892}});

// Of a record of RocksDB's: 200,000 keys of 16 bytes with values of 100 took 134.6 bytes each, 8 of them the position.
constexpr double kRecordOverhead = 10.6;

double part_at(std::span<const Point> curve, double x) {
  const auto next = std::ranges::find_if(curve, [x](const Point& point) { return point.x >= x; });
  if (next == curve.begin()) return curve.front().part;
  if (next == curve.end()) return curve.back().part;
  const Point &low = *(next - 1), &high = *next;
  return low.part + (high.part - low.part) * (x - low.x) / (high.x - low.x);
}

std::span<const Point> curve_of(FilterKind kind) {
  switch (kind) {
    case FilterKind::taf: return kTaf;
    case FilterKind::exaf: return kExaf;
    default: return {};
  }
}

// Metadata of a slot, in bits: docs/design.md, "Blocks".
double metadata_bits(FilterKind kind) {
  switch (kind) {
    case FilterKind::rsqf: return 2.125;
    case FilterKind::utaf: return 10.125;
    default: return 3;
  }
}

// The b of the space theorem for which its bound is what a code has: 56 bits for 64 slots, 1/e + b/(b-1)^2 = .875.
double proven_unique(const Forecast& plan, std::uint64_t keys) {
  constexpr double kB = 3.735;
  return static_cast<double>(keys) / (kB * std::sqrt(plan.fresh_rate));
}

void expect_positives(const PlanOptions& options, Forecast& plan) {
  const auto unique = static_cast<double>(std::min(plan.unique, plan.queries));
  const auto queries = static_cast<double>(plan.queries);
  const double x = plan.adapts_per_slot;
  plan.static_positives = queries * plan.fresh_rate;
  plan.adaptive_positives = plan.static_positives;
  if (options.filter == FilterKind::rsqf) return;
  plan.first_time = unique * plan.fresh_rate;
  const double most = plan.static_positives - plan.first_time;  // no query is worse off than a fresh one
  plan.settling = x < 1 ? std::min(most, plan.first_time * x / 2 / (1 - x)) : most;
  plan.adapted = 1 - std::exp(-x);
  plan.proven_unique = proven_unique(plan, options.keys);
  const std::span<const Point> curve = curve_of(options.filter);
  if (!curve.empty()) {
    plan.overflow_rate = plan.fresh_rate * part_at(curve, x);
    plan.beyond_measured = x > curve.back().x;
  }
  const double overflowing = std::min(most - plan.settling, (queries - unique) * plan.overflow_rate);
  plan.adaptive_positives = plan.first_time + plan.settling + overflowing;
}

}  // namespace

Forecast forecast(const PlanOptions& options) {
  Forecast plan;
  plan.unique = options.unique_negatives != 0 ? options.unique_negatives : 10 * options.keys;
  plan.queries = options.queries != 0 ? options.queries : 10 * plan.unique;
  plan.slots = FilterOptions::for_members(options.keys, options.load).slots;
  const auto slots = static_cast<double>(plan.slots);
  plan.filter_bytes = slots * (options.width + metadata_bits(options.filter)) / 8;
  // A record takes its position, its key and its value, and some bytes of RocksDB's.
  const auto record = static_cast<double>(8 + options.key_bytes + options.value_bytes) + kRecordOverhead;
  plan.store_bytes = static_cast<double>(options.keys) * record + plan.filter_bytes;

  const double chance = std::exp2(-static_cast<double>(options.width));
  plan.fresh_rate = static_cast<double>(options.keys) / slots * chance;
  plan.adapts_per_slot = static_cast<double>(plan.unique) / slots * chance;
  expect_positives(options, plan);

  plan.store_us_without = static_cast<double>(plan.queries) * options.store_read_us;
  plan.store_us_static = plan.static_positives * options.store_read_us;
  // Each false positive is a get, and an adapt with its scan.
  const double reads = options.filter == FilterKind::rsqf ? 1 : 2;
  plan.store_us_adaptive = reads * plan.adaptive_positives * options.store_read_us;
  return plan;
}

}  // namespace telescope::tool
