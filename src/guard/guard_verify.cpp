// GuardCore: looking at the whole.
#include <algorithm>
#include <utility>

#include "guard_core.hpp"
#include "telescope/detail/update/edit.hpp"

namespace telescope::inline v1::detail {
namespace {

// Returns the key between quotes, with escapes for what is not printable, and cut off if it is long.
std::string quoted(std::string_view key) {
  constexpr std::size_t kMost = 64;
  std::string text = "\"";
  for (const char c : key.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      text += c;
    } else {
      text += "\\x";
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
  }
  return text + (key.size() > kMost ? "\"..." : "\"");
}

}  // namespace

Outcome<VerifyReport> GuardCore::verify() {
  const std::lock_guard alone(write_mutex_);
  if (auto quiet = quiesce(); !quiet) return std::move(quiet).error();
  VerifyReport report;
  auto verified = filter_->frozen([&](const AnyFilter& filter) -> Outcome<void> {
    report.slots_used = filter.size();
    if (const auto violation = filter.check()) {
      report.problems.push_back("the filter breaks an invariant: " + std::string(violation->what));
      return {};
    }
    return verify_members(filter, report);
  });
  if (!verified) return failed(std::move(verified).error());
  if (report.members != report.slots_used) {
    report.problems.push_back("the store holds " + std::to_string(report.members) + " members, the filter " +
                              std::to_string(report.slots_used));
  }
  return report;
}

Outcome<void> GuardCore::verify_members(const AnyFilter& filter, VerifyReport& report) {
  constexpr std::size_t kMostProblems = 10;
  constexpr std::uint64_t kQuotients = 4096;
  const auto problem = [&](std::string what) {
    if (report.problems.size() < kMostProblems) report.problems.push_back(std::move(what));
  };
  // To ask for a member takes as long as its run is. That the members of a run match its slots means that it is found,
  // so of a long run only the first are asked for, unless they do not match.
  constexpr std::uint64_t kMostAsked = 1024;
  std::uint64_t quotient = ~std::uint64_t{0}, in_run = 0;
  std::vector<Hash> found, not_asked;
  for (std::uint64_t first = 0; first < filter.slots(); first += kQuotients) {
    const auto range = quotient_range(first, std::min(first + kQuotients, filter.slots()), filter.slots());
    found.clear();
    not_asked.clear();
    auto scanned = store_.scan(range.first_position, range.last_position, [&](const Record& record) {
      const Hash hash = hash_(record.key);
      ++report.members;
      const std::uint64_t before = std::exchange(quotient, bits::multiply_high(hash.position, filter.slots()));
      in_run = quotient == before ? in_run + 1 : 1;
      if (hash.position != record.position) {
        problem("the record of " + quoted(record.key) + " is not at its key's position");
      } else if (in_run > kMostAsked) {
        not_asked.push_back(hash);
      } else if (!filter.contains(hash)) {
        ++report.lost;
        problem("the filter calls " + quoted(record.key) + " absent");
      }
      found.push_back(hash);
      return true;
    });
    if (!scanned) return scanned;
    const auto members = [&](const QuotientRange&, MemberSink sink) -> Status {
      for (const Hash& member : found) sink(member);
      return {};
    };
    if (const Status matched = filter.match(range, members); !matched) {
      if (matched.error() != Error::disagree) return to_failure(matched.error());
      problem("quotients " + std::to_string(range.first) + " to " + std::to_string(range.end - 1) + ": " +
              std::string(message(matched.error())));
      report.lost += static_cast<std::uint64_t>(
          std::ranges::count_if(not_asked, [&](const Hash& member) { return !filter.contains(member); }));
    }
    if (options_.progress) {
      options_.progress(
          {report.members, report.slots_used, static_cast<double>(range.end) / static_cast<double>(filter.slots())});
    }
  }
  return {};
}

Outcome<void> GuardCore::each(EntrySink sink) {
  if (auto settled = expect_settled(); !settled) return settled;
  auto scanned = store_.scan(0, ~std::uint64_t{0}, [&](const Record& record) {
    return sink(Entry{record.key, record.value});
  });
  if (!scanned) return failed(std::move(scanned).error());
  return {};
}

GuardInfo GuardCore::info() {
  GuardInfo info;
  info.set = meta_.set;
  info.members = filter_->size();
  info.slots = filter_->slots();
  info.set.capacity = static_cast<std::uint64_t>(options_.max_load * static_cast<double>(info.slots));
  info.filter_bytes = filter_->bytes();
  info.store_bytes = store_.bytes();
  info.load = static_cast<double>(info.members) / static_cast<double>(info.slots);
  info.growing = filter_->growing();
  info.from_snapshot = from_snapshot_;
  info.opened = opened_;
  return info;
}

GuardCounters GuardCore::counters() const {
  GuardCounters sums;
  sums.filter_negatives = tally_.sum(Tally::filter_negatives);
  sums.queries = sums.filter_negatives + tally_.sum(Tally::filter_positives);
  sums.true_positives = tally_.sum(Tally::true_positives);
  sums.false_positives = tally_.sum(Tally::false_positives);
  sums.repeated_false_positives = tally_.sum(Tally::repeated_false_positives);
  sums.store_reads = tally_.sum(Tally::store_reads);
  sums.scans = tally_.sum(Tally::scans);
  sums.writes = tally_.sum(Tally::writes);
  sums.adapts = tally_.sum(Tally::adapts);
  sums.adapts_withheld = tally_.sum(Tally::adapts_withheld);
  sums.adapts_too_long = tally_.sum(Tally::adapts_too_long);
  sums.overflows = tally_.sum(Tally::overflows);
  sums.evictions = tally_.sum(Tally::evictions);
  sums.growths = filter_->growths();
  sums.store_errors = tally_.sum(Tally::store_errors);
  sums.doubts = pending_.doubts();
  return sums;
}

std::array<std::uint64_t, 16> GuardCore::letters() {
  std::array<std::uint64_t, 16> counts{};
  filter_->count_letters(counts);
  return counts;
}

}  // namespace telescope::inline v1::detail
