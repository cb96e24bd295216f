// telescope plan: what a set would cost, and what its filter would save. Says what is theory and what was measured.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/output.hpp"
#include "plan/forecast.hpp"
#include "printer.hpp"

namespace telescope::tool {
namespace {

Json to_json(const PlanOptions& options, const Forecast& plan) {
  return {{"keys", options.keys},
          {"filter", to_string(options.filter)},
          {"width", options.width},
          {"load", options.load},
          {"unique_negatives", plan.unique},
          {"queries", plan.queries},
          {"slots", plan.slots},
          {"filter_bytes", plan.filter_bytes},
          {"filter_bits_per_key", 8 * plan.filter_bytes / static_cast<double>(options.keys)},
          {"store_bytes", plan.store_bytes},
          {"theory",
           {{"fresh_rate", plan.fresh_rate},
            {"false_positives_first_time", plan.first_time},
            {"false_positives_settling", plan.settling},
            {"members_adapted", plan.adapted},
            {"unique_negatives_proven", plan.proven_unique}}},
          {"measured",
           {{"overflow_rate_per_repeated_query", plan.overflow_rate}, {"beyond_measured", plan.beyond_measured}}},
          {"false_positives_without_adapting", plan.static_positives},
          {"false_positives", plan.adaptive_positives},
          {"store_seconds_without_filter", plan.store_us_without / 1e6},
          {"store_seconds_without_adapting", plan.store_us_static / 1e6},
          {"store_seconds", plan.store_us_adaptive / 1e6}};
}

std::string times(double more, double less) { return less > 0 ? short_count(more / less) + " x" : "all"; }

void print_sizes(const Printer& out, const PlanOptions& options, const Forecast& plan) {
  out.title(fmt::format("{} keys behind a {} filter of width {}", with_commas(options.keys), to_string(options.filter),
                        options.width));
  out.line("memory   {:>10}   {:.2f} bits per key at load {:.2f}", bytes_text(plan.filter_bytes),
           8 * plan.filter_bytes / static_cast<double>(options.keys), options.load);
  out.line("disk     {:>10}   keys of {} bytes, values of {}, and the filter's snapshot", bytes_text(plan.store_bytes),
           options.key_bytes, options.value_bytes);
}

void print_positives(const Printer& out, const PlanOptions& options, const Forecast& plan) {
  out.title(fmt::format("{} queries for {} different absent keys, each asked for equally often",
                        short_count(static_cast<double>(plan.queries)), short_count(static_cast<double>(plan.unique))));
  out.line("false positives without adapting  {:>9}   theory: 1 in {:.0f} queries", short_count(plan.static_positives),
           1 / plan.fresh_rate);
  if (options.filter == FilterKind::rsqf) return;
  out.line("false positives of this filter    {:>9}   {} fewer", short_count(plan.adaptive_positives),
           times(plan.static_positives, plan.adaptive_positives));
  out.line("  of keys asked for the first time{:>9}   theory", short_count(plan.first_time));
  out.line("  of keys that a repair exposed   {:>9}   theory; {:.1f} % of the slots will have adapted",
           short_count(plan.settling), 100 * plan.adapted);
  out.line("  because repairs were forgotten  {:>9}   measured{}",
           short_count(plan.adaptive_positives - plan.first_time - plan.settling),
           plan.beyond_measured ? "; more than was ever measured: at least this" : "");
  out.line("That no repair is forgotten is proven for up to {} different absent keys, {:.1f} for each key.",
           short_count(plan.proven_unique), plan.proven_unique / static_cast<double>(options.keys));
}

void print_time(const Printer& out, const PlanOptions& options, const Forecast& plan) {
  out.title(fmt::format("Time spent on reads of the store that find nothing, at {} each",
                        seconds_text(options.store_read_us / 1e6)));
  out.line("without a filter   {:>16}", seconds_text(plan.store_us_without / 1e6));
  out.line("without adapting   {:>16}", seconds_text(plan.store_us_static / 1e6));
  if (options.filter == FilterKind::rsqf) return;
  out.line("with this filter   {:>16}   reads for repairs included; it saves {}",
           seconds_text(plan.store_us_adaptive / 1e6),
           seconds_text((plan.store_us_static - plan.store_us_adaptive) / 1e6));
}

}  // namespace

ExitCode plan(const PlanOptions& options) {
  if (options.keys == 0) throw ToolError("--keys: plan for at least one key");
  const Forecast made = forecast(options);
  Output out;
  if (options.json) {
    out.json(to_json(options, made));
  } else {
    const Printer printer(out);
    print_sizes(printer, options, made);
    print_positives(printer, options, made);
    print_time(printer, options, made);
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
