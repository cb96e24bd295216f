// telescope-lab bench speed
#include <fmt/core.h>

#include "bench/run.hpp"
#include "io/errors.hpp"
#include "rows.hpp"
#include "verbs.hpp"

namespace telescope::lab {
namespace {

Row nullable(std::optional<double> value) { return value ? Row(*value) : Row(); }

// An operation in batches against the same in single keys, where the other has no batches.
std::string single_form(std::string operation) {
  const std::size_t at = operation.find("_batch");
  return at == std::string::npos ? operation : operation.erase(at, std::string("_batch").size());
}

std::optional<double> ratio_to(const Sample& sample, const Score& other, const std::string& operation) {
  const Sample* const same = other.find(operation);
  return ratio(sample, same != nullptr ? same : other.find(single_form(operation)));
}

// The filters to which all others get a ratio: RSQF, and every peer.
bool is_baseline(const Score& score) { return score.peer || score.filter == "rsqf"; }

Row row_of(const Score& score, const Sample& sample, const std::string& operation, const Scores& scores) {
  const std::vector<double> rates = sample.mops();
  const auto queries = static_cast<double>(sample.queries);
  Row row;
  row[field::kSlots] = scores.slots;
  row[field::kLoad] = scores.load;
  row[field::kOperation] = operation;
  row[field::kFilter] = score.filter;
  row[field::kMops] = median(rates);
  row[field::kMopsCi] = nullable(rates.size() > 1 ? std::optional(mean_ci(rates)) : std::nullopt);
  row["ns"] = 1e3 / median(rates);
  for (const Score& other : scores.filters) {
    if (is_baseline(other)) row["ratio_to_" + other.filter] = nullable(ratio_to(sample, other, operation));
  }
  row["ratio_to_memory"] = nullable(ratio(sample, scores.memory.find(reads_beside(operation))));
  row["ratio_to_single"] =
      nullable(single_form(operation) == operation ? std::nullopt : ratio(sample, score.find(single_form(operation))));
  row[field::kBitsPerSlot] = score.bits_per_slot;
  row[field::kFpr] = operation.starts_with("negative") ? Row(static_cast<double>(sample.hits) / queries) : Row();
  row[field::kMissing] = operation.starts_with("positive") ? Row(sample.queries - sample.hits) : Row();
  row["mops_by_repetition"] = rates;
  return row;
}

void add_rows(Output& output, const Scores& scores) {
  const auto add = [&](const Score& score, const std::string& operation) {
    if (const Sample* sample = score.find(operation)) output.add(row_of(score, *sample, operation, scores));
  };
  for (const std::string& operation : kOperations) {
    for (const Score& score : scores.filters) add(score, operation);
    if (!reads_beside(operation).empty()) add(scores.memory, reads_beside(operation));
  }
}

}  // namespace

void bench_speed(const SpeedOptions& options) {
  std::vector<ContestantFactory> factories;
  for (const std::string& name : options.filters) factories.push_back(find_contestant(name));
  for (const std::string& file : options.peers) factories.push_back(peer_contestant(file));
  Output output(options.json);
  {
    Progress progress;
    for (const std::uint64_t slots : options.slots) {
      for (const Scores& scores : run_interleaved(factories, options, slots, progress)) {
        add_rows(output, scores);
      }
    }
  }
  output.finish();
}

}  // namespace telescope::lab
