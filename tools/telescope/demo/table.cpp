#include "table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../io/numbers.hpp"
#include "../io/program_name.hpp"
#include "../printer.hpp"

namespace telescope::contest {
namespace {

using tool::bytes_text;
using tool::Json;
using tool::Printer;
using tool::seconds_text;
using tool::with_commas;

std::uint64_t scaled(std::uint64_t count, double part) {
  return static_cast<std::uint64_t>(static_cast<double>(count) / part + 0.5);
}

const Row& row_of(const Course& course, Kind kind) { return *std::ranges::find(course.rows, kind, &Row::kind); }

// Reads of the store after the warm-up.
std::string reads_of(const Course& course, Kind kind) {
  const Row& row = row_of(course, kind);
  return with_commas(row.race.after.gets + row.race.after.scans);
}

void print_course(const Printer& out, const Course& course) {
  out.title(course.name);
  out.line("{}", course.about);
  out.line("{:<15} {:>14} {:>16} {:>12} {:>11} {:>10}", "", "store reads", "false positives", "repeated", "time",
           "RAM");
  for (const Row& row : course.rows) {
    const Lap lap = row.race.all();
    const std::string about = row.part < 1 ? "~" : "";
    const bool filtered = row.kind != Kind::none;
    const std::string text = fmt::format(
        "{:<15} {:>14} {:>16} {:>12} {:>11} {:>10}", to_string(row.kind),
        about + with_commas(scaled(lap.gets + lap.scans, row.part)), filtered ? with_commas(lap.false_positives) : "-",
        filtered ? with_commas(lap.repeated) : "-", about + seconds_text(lap.seconds / row.part),
        filtered ? bytes_text(static_cast<double>(row.filter_bytes)) : "-");
    out.line("{}", row.kind == Kind::taf ? out.good(text) : text);
  }
}

Json lap_json(const Lap& lap) {
  return {{"queries", lap.queries},
          {"store_gets", lap.gets},
          {"store_scans", lap.scans},
          {"false_positives", lap.false_positives},
          {"repeated_false_positives", lap.repeated},
          {"seconds", lap.seconds}};
}

}  // namespace

void print_contest(const Contest& contest, tool::Output& output) {
  const Printer out(output);
  for (const Course& course : contest.courses) print_course(out, course);
  const Course& last = contest.courses.back();
  output.line("");
  out.line(
      "~ estimated from the first part of the stream. A store read of the TAF guard is a get, or a short scan for a");
  out.line("repair. All of this took {}.", seconds_text(contest.seconds));
  output.line("");
  output.line(out.strong(fmt::format(
      "You have just seen a filter repair itself: in the last {} queries, all for keys that had been false positives "
      "before,\n"
      "RocksDB's Bloom filter read the store {} times, a filter that does not adapt {} times, the TAF guard {} times.",
      with_commas(last.after), reads_of(last, Kind::bloom), reads_of(last, Kind::rsqf), reads_of(last, Kind::taf))));
  const std::string name = tool::program_name();
  output.line(fmt::format("Next, a set of your own: {} create my-set, then {} add my-set keys.txt", name, name));
}

Json to_json(const Contest& contest) {
  Json courses = Json::array();
  for (const Course& course : contest.courses) {
    Json rows = Json::array();
    for (const Row& row : course.rows) {
      rows.push_back({{"contestant", to_string(row.kind)},
                      {"warm_up", lap_json(row.race.warm_up)},
                      {"after", lap_json(row.race.after)},
                      {"part_of_stream", row.part},
                      {"filter_bytes", row.filter_bytes}});
    }
    courses.push_back({{"stream", course.name}, {"contestants", rows}});
  }
  return {{"keys", contest.members},
          {"unique_negatives", contest.unique},
          {"seed", contest.seed},
          {"seconds", contest.seconds},
          {"streams", courses}};
}

}  // namespace telescope::contest
