#include "bench/scale_plot.hpp"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <functional>

#include "measure/caches.hpp"
#include "plot/plot.hpp"

namespace telescope::lab {
namespace {

constexpr std::array kColours = {colour::kBlue,   colour::kVermilion, colour::kGreen,
                                 colour::kPurple, colour::kOrange,    colour::kSky};
constexpr const char* kMemoryColour = colour::kGrey;

std::string size_label(double bytes) {
  if (bytes < 1 << 20) return fmt::format("{:.0f} KB", bytes / (1 << 10));
  const double mb = bytes / (1 << 20);
  return fmt::format("{:.{}f} MB", mb, mb < 10 ? 1 : 0);
}

std::string slots_label(std::uint64_t slots) {
  if (!std::has_single_bit(slots)) return std::to_string(slots);
  static constexpr std::array kSuperscripts = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto exponent = static_cast<std::size_t>(std::countr_zero(slots));
  return "2" + std::string(exponent < 10 ? "" : kSuperscripts[exponent / 10]) + kSuperscripts[exponent % 10];
}

using Pick = std::function<const Score&(const Scores&)>;

void add_points(Plot::Series& series, const std::vector<SizedScores>& sizes, const Pick& pick,
                const std::string& operation) {
  for (const SizedScores& size : sizes) {
    const Sample& sample = pick(size.scores).operations.at(operation);
    series.points.push_back({static_cast<double>(size.slots), 1e3 / median(sample.mops())});
  }
}

void add_pair(Plot& plot, const std::vector<SizedScores>& sizes, const Pick& pick, const char* colour, bool memory) {
  const std::string name = pick(sizes.front().scores).filter;
  const std::string dash = memory ? "6 4" : "";
  Plot::Series single{name + ", single", {colour, Marker::disc, dash}, {}};
  Plot::Series batch{name + ", batch", {colour, Marker::square, dash, /*open=*/true}, {}};
  add_points(single, sizes, pick, memory ? "read_single" : "negative");
  add_points(batch, sizes, pick, memory ? "read_batch" : "negative_batch");
  plot.series.push_back(std::move(single));
  plot.series.push_back(std::move(batch));
}

}  // namespace

std::string draw_scale(const std::vector<SizedScores>& sizes, double load) {
  Plot plot;
  plot.title = fmt::format("Negative queries at load {:g}, and random 64-byte reads", load);
  plot.x_label = "slots, and size of the smallest filter";
  plot.y_label = "nanoseconds per query or read";
  const Scores& first = sizes.front().scores;
  for (const SizedScores& size : sizes) {
    const auto bytes = static_cast<double>(bytes_of(size.scores.memory, size.slots));
    plot.ticks.push_back({static_cast<double>(size.slots), slots_label(size.slots), size_label(bytes)});
  }
  for (std::size_t i = 0; i < first.filters.size(); ++i) {
    const auto pick = [i](const Scores& scores) -> const Score& { return scores.filters[i]; };
    add_pair(plot, sizes, pick, kColours[i % kColours.size()], false);
  }
  const auto pick_memory = [](const Scores& scores) -> const Score& { return scores.memory; };
  add_pair(plot, sizes, pick_memory, kMemoryColour, true);
  for (const Cache& cache : data_caches()) {
    const auto bytes = static_cast<double>(cache.bytes);
    plot.marks.push_back({bytes * 8 / first.memory.bits_per_slot, cache.name() + ", " + size_label(bytes)});
  }
  return to_svg(plot);
}

}  // namespace telescope::lab
