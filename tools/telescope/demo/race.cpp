#include "race.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace telescope::contest {
namespace {

class Runner {
 public:
  Runner(Contestant& contestant, Stream& stream) : contestant_(contestant), stream_(stream) {}

  Outcome<Lap> lap(std::uint64_t queries, const std::function<bool(std::uint64_t)>& go_on) {
    Lap lap;
    const Reads before = contestant_.reads();
    while (lap.queries < queries && go_on(asked_)) {
      const std::size_t count = std::min<std::uint64_t>(kChunk, queries - lap.queries);
      const auto keys = std::span(keys_).first(count);
      const auto read = std::span(read_).first(count);
      stream_.next(keys);
      auto seconds = contestant_.ask(keys, read);
      if (!seconds) return std::move(seconds).error();
      stream_.told(keys, read);
      lap.queries += count;
      asked_ += count;
      lap.seconds += *seconds;
      note(keys, read, lap);
    }
    const Reads now = contestant_.reads();
    lap.gets = now.gets - before.gets;
    lap.scans = now.scans - before.scans;
    return lap;
  }

 private:
  static constexpr std::size_t kChunk = 1024;

  void note(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> read, Lap& lap) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (read[i] == 0) continue;
      ++lap.false_positives;
      if (!seen_.insert(keys[i]).second) ++lap.repeated;
    }
  }

  Contestant& contestant_;
  Stream& stream_;
  std::uint64_t asked_ = 0;
  std::unordered_set<std::uint64_t> seen_;  // false positives
  std::array<std::uint64_t, kChunk> keys_{};
  std::array<std::uint8_t, kChunk> read_{};
};

}  // namespace

Lap& Lap::operator+=(const Lap& other) noexcept {
  queries += other.queries;
  gets += other.gets;
  scans += other.scans;
  false_positives += other.false_positives;
  repeated += other.repeated;
  seconds += other.seconds;
  return *this;
}

Lap Race::all() const noexcept {
  Lap sum = warm_up;
  return sum += after;
}

Outcome<Race> run_race(Contestant& contestant, Stream& stream, std::uint64_t warm_up, std::uint64_t after,
                       const std::function<bool(std::uint64_t)>& go_on) {
  Runner runner(contestant, stream);
  auto first = runner.lap(warm_up, go_on);
  if (!first) return std::move(first).error();
  auto second = runner.lap(after, go_on);
  if (!second) return std::move(second).error();
  return Race{*first, *second};
}

}  // namespace telescope::contest
