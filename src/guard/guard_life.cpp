// GuardCore: opening, saving, and looking at the whole.
#include <algorithm>
#include <cstring>

#include "guard_core.hpp"
#include "telescope/detail/update/edit.hpp"
#include "telescope/snapshot.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {

GrowthPolicy policy_of(const GuardOptions& options) noexcept {
  return {.at_load = options.max_load, .factor = options.growth};
}

// What a snapshot notes: the name of the state, and the version of the store that bears it.
std::string note_of(std::string_view state, std::uint64_t version) {
  return std::string(state) + "@" + std::to_string(version);
}

std::string shown(std::string_view key) {
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

GuardCore::GuardCore(AnyStore store, SetMeta meta, const GuardOptions& options)
    : store_(std::move(store)),
      meta_(std::move(meta)),
      options_(options),
      hash_({meta_.set.hash, *meta_.set.secret}),
      adapt_limit_(options.adapts_per_second, options.adapt_burst),
      remembered_(options.remembered) {}

Outcome<void> GuardCore::load() {
  auto loaded = load_saved();
  from_snapshot_ = loaded.ok();
  named_ = !meta_.state.empty();
  if (loaded) {
    opened_ = "from " + options_.snapshot.string();
    return take(std::move(*loaded));
  }
  opened_ = "made from the store: " + loaded.error().what;
  auto scanned = scan_store();
  if (!scanned) return std::move(scanned).error();
  changed_ = true;
  return take(std::move(*scanned));
}

Outcome<void> GuardCore::take(AnyFilter filter) {
  const auto failure = [](Error error) { return Failure{error, std::string(message(error))}; };
  if (filter_) {
    const Status replaced = filter_->replace(std::move(filter));
    return replaced ? Outcome<void>() : failure(replaced.error());
  }
  auto shared = SharedFilter::create(std::move(filter), policy_of(options_));
  if (!shared) return failure(shared.error());
  filter_ = std::move(*shared);
  return {};
}

// Returns the filter that was saved last, or why it cannot be used. The note and the blocks come from one file, even if
// another one takes its name meanwhile.
Outcome<AnyFilter> GuardCore::load_saved() {
  if (options_.snapshot.empty()) return Failure{Error::bad_argument, "there is no file for snapshots"};
  if (meta_.state.empty()) return Failure{Error::bad_argument, "the set was not closed, or never saved"};
  LoadOptions load;
  load.memory = options_.memory;
  const auto reader = SnapshotReader::open(options_.snapshot, load);
  if (!reader) return reader.error();
  const auto info = reader->info();
  if (!info) return info.error();
  const std::string note = note_of(meta_.state, store_.version());
  if (!std::ranges::equal(info->note, std::as_bytes(std::span(note)))) {
    return Failure{Error::other_filter, options_.snapshot.string() + " belongs to another state of the store"};
  }
  if (info->shape.kind != meta_.set.filter || info->shape.width != meta_.set.bits) {
    return Failure{Error::other_filter, options_.snapshot.string() + " is of another kind of filter"};
  }
  return reader->load_any(hash_.key());
}

// One pass in order of position. If the members turn out to be more than the last size has room for, positions being
// spread evenly, what was seen so far tells how many there are; then once more.
Outcome<AnyFilter> GuardCore::scan_store() {
  FilterOptions make;
  make.memory = options_.memory;
  for (make.slots = meta_.slots;;) {
    auto loader = AnyFilter::Loader::create(meta_.set.filter, meta_.set.bits, make);
    if (!loader) return Failure{loader.error(), std::string(message(loader.error()))};
    const auto room = static_cast<std::uint64_t>(options_.max_load * static_cast<double>(make.slots));
    RebuildProgress progress;
    Status added;
    auto scanned = store_.scan(0, ~std::uint64_t{0}, [&](const Record& record) {
      progress.done = static_cast<double>(record.position) / 0x1p64;
      if (progress.members == room) return false;
      const Hash member = hash_(record.key);
      if (member.position != record.position) added = Error::disagree;
      if (added) added = loader->add({&member, 1}).status;
      if (++progress.members % 65536 == 0 && options_.progress) {
        progress.expected = static_cast<std::uint64_t>(static_cast<double>(progress.members) / progress.done);
        options_.progress(progress);
      }
      return added.ok();
    });
    if (!scanned) return failed(std::move(scanned).error());
    if (!added && added.error() == Error::disagree) {
      return Failure{Error::corrupt,
                     "a record's position is not that of its key: the store was written by another set"};
    }
    if (!added) return Failure{added.error(), std::string(message(added.error()))};
    if (progress.members < room || progress.done == 0) return std::move(*loader).finish();
    const double members = static_cast<double>(progress.members) / std::max(progress.done, 0x1p-20);
    const std::uint64_t larger = FilterOptions::for_members(static_cast<std::uint64_t>(1.1 * members)).slots;
    make.slots = std::max(larger, 2 * make.slots);
  }
}

Outcome<void> GuardCore::each(EntrySink sink) {
  auto scanned = store_.scan(0, ~std::uint64_t{0}, [&](const Record& record) {
    return sink(Entry{record.key, record.value});
  });
  if (!scanned) return failed(std::move(scanned).error());
  return {};
}

Outcome<void> GuardCore::save() {
  if (options_.snapshot.empty()) return {};
  const std::lock_guard alone(writers_);
  if (named_ && !changed_) return {};
  if (auto settled = settle_all(); !settled) return settled;
  StoreSource members = source();
  if (const Status finished = filter_->finish_resize(members); !finished) {
    return failed(members.failure_of(finished.error()));
  }
  if (!named_) {
    const std::string state = new_state();
    if (auto written = write_slots(store_, filter_->slots()); !written) return failed(std::move(written).error());
    if (auto written = write_state(store_, state); !written) return failed(std::move(written).error());
    meta_.state = state;
    named_ = true;
  }
  const std::string note = note_of(meta_.state, store_.version());
  changed_ = false;  // an adapt that comes now changes it again
  SaveOptions options;
  options.note = std::as_bytes(std::span(note));
  auto saved = filter_->frozen(
      [&](const AnyFilter& filter) { return save_snapshot(filter, hash_.key(), options_.snapshot, options); });
  if (!saved) changed_ = true;
  return saved;
}

Outcome<void> GuardCore::rebuild() {
  const std::lock_guard alone(writers_);
  auto scanned = scan_store();
  if (!scanned) return std::move(scanned).error();
  while (const auto key = unsettled_.next_doubt()) unsettled_.settle(hash_(*key), *key);  // the scan has told
  changed_ = true;
  return take(std::move(*scanned));
}

Outcome<void> GuardCore::resize(std::uint64_t slots) {
  StoreSource members = source();
  const Status resized = filter_->resize(slots, members);
  if (!resized) return failed(members.failure_of(resized.error()));
  changed_ = true;
  return {};
}

Outcome<VerifyReport> GuardCore::verify() {
  const std::lock_guard alone(writers_);
  if (auto settled = settle_all(); !settled) return std::move(settled).error();
  StoreSource members = source();
  if (const Status finished = filter_->finish_resize(members); !finished) {
    return failed(members.failure_of(finished.error()));
  }
  VerifyReport report;
  Outcome<void> scanned;
  filter_->frozen([&](const AnyFilter& filter) {
    report.slots_used = filter.size();
    if (const auto violation = filter.check()) {
      report.problems.push_back("the filter breaks an invariant: " + std::string(violation->what));
      return;
    }
    verify_members(filter, report, scanned);
  });
  if (!scanned) return failed(std::move(scanned).error());
  if (report.members != report.slots_used) {
    report.problems.push_back("the store holds " + std::to_string(report.members) + " members, the filter " +
                              std::to_string(report.slots_used));
  }
  return report;
}

void GuardCore::verify_members(const AnyFilter& filter, VerifyReport& report, Outcome<void>& scanned) {
  constexpr std::size_t kMostProblems = 10;
  constexpr std::uint64_t kQuotients = 4096;
  const auto problem = [&](std::string what) {
    if (report.problems.size() < kMostProblems) report.problems.push_back(std::move(what));
  };
  std::vector<Hash> found;
  for (std::uint64_t first = 0; first < filter.slots(); first += kQuotients) {
    const auto range = quotient_range(first, std::min(first + kQuotients, filter.slots()), filter.slots());
    found.clear();
    scanned = store_.scan(range.first_position, range.last_position, [&](const Record& record) {
      const Hash hash = hash_(record.key);
      ++report.members;
      if (hash.position != record.position) {
        problem("the record of " + shown(record.key) + " is not at its key's position");
      } else if (!filter.contains(hash)) {
        ++report.lost;
        problem("the filter calls " + shown(record.key) + " absent");
      }
      found.push_back(hash);
      return true;
    });
    if (!scanned) return;
    const auto members = [&](const QuotientRange&, MemberSink sink) -> Status {
      for (const Hash& member : found) sink(member);
      return {};
    };
    if (const Status matched = filter.match(range, members); !matched) {
      problem("quotients " + std::to_string(range.first) + " to " + std::to_string(range.end - 1) + ": " +
              std::string(message(matched.error())));
    }
    if (options_.progress) {
      options_.progress(
          {report.members, report.slots_used, static_cast<double>(range.end) / static_cast<double>(filter.slots())});
    }
  }
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
  sums.queries = sums.filter_negatives + tally_.sum(Tally::asked);
  sums.true_positives = tally_.sum(Tally::true_positives);
  sums.false_positives = tally_.sum(Tally::false_positives);
  sums.repeated_false_positives = tally_.sum(Tally::repeated_false_positives);
  sums.store_reads = tally_.sum(Tally::store_reads);
  sums.scans = tally_.sum(Tally::scans);
  sums.writes = tally_.sum(Tally::writes);
  sums.adapts = tally_.sum(Tally::adapts);
  sums.adapts_withheld = tally_.sum(Tally::adapts_withheld);
  sums.overflows = tally_.sum(Tally::overflows);
  sums.evictions = tally_.sum(Tally::evictions);
  sums.growths = filter_->growths();
  sums.store_errors = tally_.sum(Tally::store_errors);
  sums.doubts = unsettled_.doubts();
  return sums;
}

std::vector<std::uint64_t> GuardCore::letters() {
  constexpr std::size_t kLetters = 16;
  std::vector<std::uint64_t> counts(kLetters);
  filter_->count_letters(counts);
  return counts;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
