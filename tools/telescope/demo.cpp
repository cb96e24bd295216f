// telescope demo: a skewed and an adversarial stream of absent keys, through four ways to ask a store for them.
#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "demo/table.hpp"
#include "demo/temporary_directory.hpp"
#include "io/errors.hpp"
#include "io/numbers.hpp"
#include "io/progress.hpp"
#include "io/stop.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

using namespace contest;

struct Stopped {};  // by a signal

Terms terms_of(const DemoOptions& options) {
  Terms terms;
  terms.members = options.keys;
  terms.keys = Keys(options.seed);
  terms.seed = mix64(options.seed);
  return terms;
}

constexpr std::uint64_t kUniquePerKey = 10, kSkewedPerKey = 10;
// Without a filter every query takes the same, so a part of a stream tells all.
constexpr double kPartWithoutFilter = 1.0 / 16;

Contest plan_contest(const DemoOptions& options) {
  Contest contest;
  contest.members = options.keys;
  contest.unique = kUniquePerKey * options.keys;
  contest.seed = options.seed;
  const std::uint64_t skewed = kSkewedPerKey * options.keys, fresh = options.keys / 4, repeats = options.keys / 2;
  contest.courses.push_back({"Skewed stream",
                             fmt::format("{} queries for {} absent keys, the k-th in proportion to 1/k",
                                         with_commas(skewed), with_commas(contest.unique)),
                             0,
                             skewed,
                             {}});
  contest.courses.push_back({"Adversarial stream",
                             fmt::format("{} fresh absent keys; then {} times one of those that were false positives",
                                         with_commas(fresh), with_commas(repeats)),
                             fresh,
                             repeats,
                             {}});
  return contest;
}

std::unique_ptr<Stream> stream_of(const Contest& contest, std::size_t course, const Terms& terms) {
  if (course == 0) return std::make_unique<SkewedStream>(terms.keys, contest.members, contest.unique, contest.seed);
  return std::make_unique<AdversarialStream>(terms.keys, contest.members + contest.unique, contest.courses[1].warm_up);
}

Row run_course(Kind kind, Contestant& contestant, const Course& course, Stream& stream, Progress& progress) {
  Row row;
  row.kind = kind;
  row.part = kind == Kind::none ? kPartWithoutFilter : 1;
  const auto part = [&](std::uint64_t queries) {
    return static_cast<std::uint64_t>(static_cast<double>(queries) * row.part);
  };
  const auto all = static_cast<double>(part(course.warm_up) + part(course.after));
  progress.restart(fmt::format("{:<13}  {}", to_string(kind), course.name));
  row.race =
      value_or_throw(run_race(contestant, stream, part(course.warm_up), part(course.after), [&](std::uint64_t asked) {
        progress.show(asked, static_cast<double>(asked) / all);
        return !stop_requested();
      }));
  if (stop_requested()) throw Stopped();
  row.filter_bytes = contestant.filter_bytes();
  return row;
}

Contest run_contest(const DemoOptions& options, const TemporaryDirectory& directory) {
  const auto start = std::chrono::steady_clock::now();
  const Terms terms = terms_of(options);
  Contest contest = plan_contest(options);
  Progress progress("");
  for (Kind kind : kKinds) {
    progress.announce(fmt::format("{:<13}  making a store of {} keys", to_string(kind), with_commas(options.keys)));
    const auto home = directory / std::to_string(static_cast<int>(kind));
    const auto contestant = value_or_throw(make_contestant(kind, home, terms));
    for (std::size_t i = 0; i < contest.courses.size(); ++i) {
      Course& course = contest.courses[i];
      course.rows.push_back(run_course(kind, *contestant, course, *stream_of(contest, i, terms), progress));
    }
  }
  contest.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return contest;
}

}  // namespace

ExitCode demo(const DemoOptions& options) {
  const StopSignals signals;
  const TemporaryDirectory directory(options.directory);
  Output out;
  try {
    const Contest contest = run_contest(options, directory);
    if (options.json) {
      out.json(to_json(contest));
    } else {
      print_contest(contest, out);
    }
  } catch (const Stopped&) {
    return stopped_by(stop_signal());
  }
  out.flush();
  return kYes;
}

}  // namespace telescope::tool
