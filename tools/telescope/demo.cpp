// telescope demo: a tour in a second. Build a filter, catch it lying, repair it, then replay its false positives.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <telescope/filter.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "printer.hpp"
#include "verbs.hpp"

namespace telescope::tool {
namespace {

using DemoFilter = Taf<8>;
using Keys = std::unordered_set<std::uint64_t>;

struct DemoReport {
  std::uint64_t keys = 0, slots = 0, bytes = 0;
  std::uint64_t queries = 0;  // for absent keys, until enough false positives were found
  unsigned false_positives = 0, passes = 0;
  std::uint64_t liar = 0;  // the false positive that is shown
  bool repaired = false;
  std::uint64_t reads_without_adapting = 0, reads_adapting = 0;
  AdaptReport adapts;
  std::uint64_t lost = 0;  // members that the filter calls absent
  std::string violation;   // empty if every invariant holds
  double seconds = 0;

  bool sound() const { return repaired && lost == 0 && violation.empty(); }
};

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(std::string(message(result.error())));
  return std::move(*result);
}

// The store, played by two arrays: the keys themselves, and their hashes in order of position.
class Store {
 public:
  Store(const Keys& keys, const DemoFilter& filter) : keys_(keys) {
    hashes_.reserve(keys.size());
    for (std::uint64_t key : keys) hashes_.push_back(filter.hash_of(key));
    std::ranges::sort(hashes_, {}, &Hash::position);
  }

  // The expensive read that a filter is there to save.
  bool holds(std::uint64_t key) {
    ++reads_;
    return keys_.contains(key);
  }
  std::uint64_t reads() const { return reads_; }

  // As a member source: one range scan.
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    auto member = std::ranges::lower_bound(hashes_, range.first_position, {}, &Hash::position);
    for (; member != hashes_.end() && member->position <= range.last_position; ++member) sink(*member);
    return {};
  }

 private:
  const Keys& keys_;
  std::vector<Hash> hashes_;
  std::uint64_t reads_ = 0;
};

// Asks for every key `passes` times and returns the reads of the store that this cost.
template <class OnFalsePositive>
std::uint64_t replay(const DemoFilter& filter, Store& store, const std::vector<std::uint64_t>& keys, unsigned passes,
                     OnFalsePositive on_false_positive) {
  const std::uint64_t before = store.reads();
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (std::uint64_t key : keys) {
      if (filter.contains(key) && !store.holds(key)) on_false_positive(key);
    }
  }
  return store.reads() - before;
}

DemoReport tour(const DemoOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::mt19937_64 random(options.seed);
  Keys keys;
  while (keys.size() < options.keys) keys.insert(random());
  DemoFilter filter =
      value_or_throw(DemoFilter::create(FilterOptions::for_members(options.keys), Xxh3(Secret{{random(), random()}})));
  for (std::uint64_t key : keys) value_or_throw(filter.insert(key));
  Store store(keys, filter);

  DemoReport report;
  report.keys = filter.size();
  report.slots = filter.slots();
  report.bytes = filter.bytes();
  report.false_positives = options.false_positives;
  report.passes = options.passes;

  std::vector<std::uint64_t> liars;
  for (; liars.size() < options.false_positives; ++report.queries) {
    const std::uint64_t key = random();
    if (filter.contains(key) && !store.holds(key)) liars.push_back(key);
  }
  report.reads_without_adapting = replay(filter, store, liars, options.passes, [](std::uint64_t) {});

  const auto adapt = [&](std::uint64_t key) { report.adapts += value_or_throw(filter.adapt(key, store)); };
  report.liar = liars.front();
  adapt(report.liar);
  report.repaired = !filter.contains(report.liar);
  report.reads_adapting = 1 + replay(filter, store, liars, options.passes, adapt);  // 1 for the liar just shown

  for (std::uint64_t key : keys) report.lost += filter.contains(key) ? 0 : 1;
  if (const auto violation = filter.check()) report.violation = violation->what;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

void tell(const DemoReport& report) {
  const Printer out;
  out.title("A telescoping filter in front of a store");
  out.line("{} random keys in {} bytes: {:.2f} bits per key at load {:.2f}", with_commas(report.keys),
           with_commas(report.bytes), 8.0 * static_cast<double>(report.bytes) / static_cast<double>(report.keys),
           static_cast<double>(report.keys) / static_cast<double>(report.slots));

  out.title("It sometimes says \"maybe\" to a key that is absent");
  out.line("{} different false positives in {} queries for absent keys: 1 in {:.0f}",
           with_commas(report.false_positives), with_commas(report.queries),
           static_cast<double>(report.queries) / report.false_positives);
  out.line("contains({:#018x}) = {}, yet the store does not hold it", report.liar, out.bad("maybe"));

  out.title("Adapt: read the few members of that run from the store, give the colliding one another remainder");
  out.line("contains({:#018x}) = {}", report.liar, report.repaired ? out.good("absent") : out.bad("maybe"));

  out.title(
      fmt::format("Replay {} false positives, {} times each", with_commas(report.false_positives), report.passes));
  out.line("without adapting  {} reads of the store",
           out.bad(fmt::format("{:>10}", with_commas(report.reads_without_adapting))));
  out.line("adapting          {} reads of the store",
           out.good(fmt::format("{:>10}", with_commas(report.reads_adapting))));

  out.title("No member is ever lost");
  out.line("{} of {} members found", with_commas(report.keys - report.lost), with_commas(report.keys));
  out.line("every invariant of the filter: {}",
           report.violation.empty() ? out.good("holds") : out.bad("BROKEN, " + report.violation));
  out.line("({:.2f} s)", report.seconds);
}

nlohmann::ordered_json to_json(const DemoReport& report) {
  return {{"keys", report.keys},
          {"slots", report.slots},
          {"bytes", report.bytes},
          {"queries", report.queries},
          {"false_positives", report.false_positives},
          {"passes", report.passes},
          {"reads_without_adapting", report.reads_without_adapting},
          {"reads_adapting", report.reads_adapting},
          {"adapted", report.adapts.adapted},
          {"overflows", report.adapts.overflow.overflows},
          {"members_lost", report.lost},
          {"violation", report.violation},
          {"sound", report.sound()},
          {"seconds", report.seconds}};
}

}  // namespace

ExitCode demo(const DemoOptions& options) {
  const DemoReport report = tour(options);
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(2));
  } else {
    tell(report);
  }
  return report.sound() ? kYes : kNo;
}

}  // namespace telescope::tool
