// One of our filters as a contestant. Each loop is instantiated for its filter, so a key costs no indirect call.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "contestants/contestant.hpp"
#include "contestants/make_filter.hpp"
#include "measure/clocks.hpp"
#include "members/prefetched_members.hpp"

namespace telescope::lab {

// Filter has the operations of telescope::Filter on keys of 64 bits.
template <class Filter>
class OurContestant : public Contestant {
 public:
  explicit OurContestant(Filter filter) : filter_(std::move(filter)) {}

  std::uint64_t insert(KeySpan keys) override {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (const auto done = filter_.insert(keys[i]); !done) return refused(done.error(), i);
    }
    return keys.size();
  }

  std::optional<std::uint64_t> insert_batch(KeySpan keys) override {
    for (std::size_t i = 0; i < keys.size(); i += kBatch) {
      const BatchInsertReport done = filter_.insert(keys.subspan(i, std::min(kBatch, keys.size() - i)));
      if (!done.status) return refused(done.status.error(), i + done.inserted);
    }
    return keys.size();
  }

  std::uint64_t count(KeySpan keys) override {
    std::uint64_t hits = 0;
    for (const std::uint64_t key : keys) hits += filter_.contains(key);
    return hits;
  }

  std::optional<std::uint64_t> count_batch(KeySpan keys) override {
    std::array<std::uint8_t, kBatch> answers;
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < keys.size(); i += kBatch) {
      const std::size_t size = std::min(kBatch, keys.size() - i);
      filter_.contains(keys.subspan(i, size), std::span(answers).first(size));
      for (std::size_t j = 0; j < size; ++j) hits += answers[j];
    }
    return hits;
  }

  bool adapts() const override {
    if constexpr (requires { filter_.adapts(); }) {
      return filter_.adapts();
    } else {
      return Filter::kAdapts;
    }
  }

  std::vector<std::uint64_t> positives_of(KeySpan keys) override {
    std::vector<std::uint8_t> answers(keys.size());
    filter_.contains(keys, std::span(answers));
    std::vector<std::uint64_t> positives;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (answers[i] != 0) positives.push_back(keys[i]);
    }
    return positives;
  }

  double adapt(KeySpan false_positives, const MemberIndex& members) override {
    const PrefetchedMembers prefetched(hashes_of(false_positives, filter_.hash()), filter_.slots(), members);
    const Stopwatch watch;
    for (std::size_t i = 0; i < false_positives.size(); ++i) {
      const auto report = filter_.adapt(false_positives[i], prefetched.source(i));
      if (!report) throw LabError(std::string(message(report.error())));
      overflow_ += report->overflow;
    }
    return watch.seconds();
  }

  OverflowReport overflow() const override { return overflow_; }
  std::uint64_t bits() const override {
    return static_cast<std::uint64_t>(filter_.bits_per_slot() * static_cast<double>(filter_.slots()));
  }

 protected:
  const Filter& filter() const { return filter_; }

 private:
  static constexpr std::size_t kBatch = 1u << 12;  // keys per call of the batch form

  static std::uint64_t refused(Error error, std::uint64_t inserted) {
    if (error == Error::full) return inserted;
    throw LabError(std::string(message(error)));
  }

  Filter filter_;
  OverflowReport overflow_;
};

}  // namespace telescope::lab
