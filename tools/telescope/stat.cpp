// telescope stat: what a set is made of and how full it is, for people, for programs and for Prometheus.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "printer.hpp"
#include "set.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

using Letters = std::array<std::uint64_t, 16>;

double per_member(double amount, const GuardInfo& info) {
  return info.members == 0 ? 0 : amount / static_cast<double>(info.members);
}

Json to_json(const std::string& directory, const GuardInfo& info, const Letters& letters) {
  return {{"directory", directory},
          {"filter", to_string(info.set.filter)},
          {"width", info.set.width},
          {"hash", to_string(info.set.hash)},
          {"members", info.members},
          {"slots", info.slots},
          {"load", info.load},
          {"growing", info.growing},
          {"filter_bytes", info.filter_bytes},
          {"filter_bits_per_key", per_member(8 * static_cast<double>(info.filter_bytes), info)},
          {"store_bytes", info.store_bytes},
          {"letters", letters},
          {"from_snapshot", info.from_snapshot},
          {"opened", info.opened}};
}

// name="value", with what the format wants escaped.
std::string prometheus_label(std::string_view name, std::string_view value) {
  std::string text = fmt::format("{}=\"", name);
  for (char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text + '"';
}

// How often slots have been repaired, which is what their letters say. Counts fall by orders of magnitude from one
// letter to the next, so the bars are logarithmic.
void print_letters(const Printer& out, const Letters& letters) {
  const std::uint64_t adapted = std::accumulate(letters.begin() + 1, letters.end(), std::uint64_t{0});
  out.title(adapted == 1 ? std::string("1 slot has adapted")
                         : fmt::format("{} slots have adapted", with_commas(adapted)));
  if (adapted == 0) return;
  out.line("{:>4}  {:<32} {:>15}", "times", "", "slots");
  const double most = std::log10(1 + static_cast<double>(*std::ranges::max_element(letters)));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] == 0) continue;
    const bool last = i + 1 == letters.size();
    out.line("{:>4}  {} {:>15}", fmt::format("{}{}", i, last ? "+" : ""),
             out.bar(std::log10(1 + static_cast<double>(letters[i])) / most, 30), with_commas(letters[i]));
  }
}

void print_summary(const Printer& out, const std::string& directory, const GuardInfo& info, const Letters& letters) {
  const auto filter_bytes = static_cast<double>(info.filter_bytes), store_bytes = static_cast<double>(info.store_bytes);
  out.title(fmt::format("{}: {} members", directory, with_commas(info.members)));
  out.line("filter   {} of width {}, hash {}; an absent key asked for once reaches the store with probability {:.2g}",
           to_string(info.set.filter), info.set.width, to_string(info.set.hash),
           info.load * std::exp2(-static_cast<double>(info.set.width)));
  out.line("memory   {} for {} slots, {:.2f} bits per key", bytes_text(filter_bytes), with_commas(info.slots),
           per_member(8 * filter_bytes, info));
  if (info.store_bytes > 0) {
    out.line("store    {}, {:.1f} bytes per key", bytes_text(store_bytes), per_member(store_bytes, info));
  }
  out.line("load     {} {:5.1f} %{}", out.bar(info.load, 30), 100 * info.load, info.growing ? ", growing" : "");
  out.line("opened   {}",
           info.opened.empty() ? (info.from_snapshot ? "from its snapshot" : "from the store") : info.opened);
  if (letters.size() > 1) print_letters(out, letters);
}

}  // namespace

ExitCode stat(const StatOptions& options) {
  Guard guard = open_set(options.directory);
  const GuardInfo info = guard.info();
  Output out;
  if (options.prometheus) {
    out.write(to_prometheus(guard.counters(), info, prometheus_label("set", options.directory)));
  } else if (options.json) {
    out.json(to_json(options.directory, info, guard.letters()));
  } else {
    print_summary(Printer(out), options.directory, info, guard.letters());
  }
  out.flush();
  close_set(guard, options.directory);
  return kYes;
}

}  // namespace telescope::tool
