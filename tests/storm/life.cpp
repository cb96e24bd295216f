#include "life.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "support/failing_allocations.hpp"

namespace telescope::storm {
namespace {

using testing::FailingAllocation;

constexpr unsigned kWriters = 2, kReaders = 2;

// What all threads of a life share.
struct Scene {
  Guard& guard;
  Journal& journal;
  const LifeOptions& options;
  std::chrono::steady_clock::time_point end;
  std::mutex printing{};

  bool over() const { return std::chrono::steady_clock::now() >= end || journal.totals().violations.load() != 0; }
  void wrong(const std::string& what) {
    const std::lock_guard lock(printing);
    journal.totals().violations.fetch_add(1);
    std::fprintf(stderr, "storm: %s\n", what.c_str());
  }
};

std::string described(std::uint32_t key, std::uint32_t value, const Journal& journal) {
  return Journal::name(key) + (value == 0 ? " is called absent" : " has value " + std::to_string(value)) +
         ", and has value " + std::to_string(journal.value(key)) +
         (journal.certain(key) ? "" : " or " + std::to_string(journal.other(key))) + " by the journal (0: absent)";
}

// A thread with its random numbers and, now and then, an allocation that fails within an operation.
class Actor {
 public:
  Actor(Scene& scene, unsigned number) : scene_(scene), random_(scene.options.seed * 1000 + number) {}

 protected:
  template <class Operation>
  auto perform(Operation operation) {
    std::optional<FailingAllocation> failing;
    if (scene_.options.failing_allocations && random_() % 4 == 0) {
      failing.emplace(static_cast<long>(random_() % (random_() % 2 == 0 ? 8 : 80)));
    }
    auto outcome = operation();
    const bool failed = failing && FailingAllocation::happened();
    failing.reset();
    journal().totals().operations.fetch_add(1);
    journal().totals().errors.fetch_add(outcome.ok() ? 0 : 1);
    journal().totals().faults.fetch_add(failed ? 1 : 0);
    return outcome;
  }
  Guard& guard() { return scene_.guard; }
  Journal& journal() { return scene_.journal; }
  std::uint32_t any_key() { return static_cast<std::uint32_t>(random_() % journal().keys()); }

  // Asks for one key, and compares the answer with the journal.
  std::optional<std::uint32_t> ask(std::uint32_t key) {
    const std::string name = Journal::name(key);
    const std::uint64_t before = journal().look(key);
    std::string value;
    value.reserve(64);
    const auto found = perform([&] { return guard().get(name, value); });
    if (!found.ok()) return std::nullopt;
    const std::uint32_t number = *found ? number_of(key, value) : 0;
    if (!journal().may_be(key, before, number)) scene_.wrong(described(key, number, journal()));
    return number;
  }
  std::uint32_t number_of(std::uint32_t key, const std::string& value) {
    const auto number = static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    if (value != Journal::text(key, number)) scene_.wrong(Journal::name(key) + " has the value \"" + value + '"');
    return number;
  }

  Scene& scene_;
  std::mt19937_64 random_;
};

// Inserts and erases its own keys.
class Writer : Actor {
 public:
  Writer(Scene& scene, unsigned number) : Actor(scene, number), number_(number) {}

  void run() {
    while (!scene_.over()) {
      const std::uint32_t key = own_key();
      if (!settled(key)) continue;
      switch (random_() % 8) {
        case 0: write_batch(random_() % 2 == 0); break;
        case 1:
        case 2:
        case 3: write(key, 0); break;
        default: write(key, journal().totals().next_value.fetch_add(1));
      }
    }
  }

 private:
  std::uint32_t own_key() { return any_key() / kWriters * kWriters + number_; }

  // A key in doubt is asked for, until somebody answers.
  bool settled(std::uint32_t key) {
    if (journal().certain(key)) return true;
    const auto value = ask(key);
    if (value) journal().settle(key, *value);
    return value.has_value();
  }
  void end(std::uint32_t key, bool done) {
    if (done) {
      journal().acknowledge(key);
    } else {
      journal().fail(key);
      journal().totals().doubts.fetch_add(1);
    }
  }
  void write(std::uint32_t key, std::uint32_t value) {
    const std::string name = Journal::name(key), text = Journal::text(key, value);
    journal().begin(key, value);
    end(key, perform([&] { return value == 0 ? guard().erase(name) : guard().insert(name, text); }).ok());
  }
  void write_batch(bool erase) {
    std::vector<std::uint32_t> keys;
    std::vector<std::string> names, texts;
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t key = own_key();
      if (std::ranges::find(keys, key) == keys.end() && settled(key)) keys.push_back(key);
    }
    for (const std::uint32_t key : keys) {
      const std::uint32_t value = erase ? 0 : journal().totals().next_value.fetch_add(1);
      names.push_back(Journal::name(key));
      texts.push_back(Journal::text(key, value));
      journal().begin(key, value);
    }
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < keys.size(); ++i) entries.push_back({names[i], texts[i]});
    const std::vector<std::string_view> erased(names.begin(), names.end());
    const bool done = perform([&] { return erase ? guard().erase(erased) : guard().insert(entries); }).ok();
    for (const std::uint32_t key : keys) end(key, done);
  }

  unsigned number_;
};

// Asks for members and strangers, one by one and in batches.
class Reader : Actor {
 public:
  using Actor::Actor;

  void run() {
    while (!scene_.over()) {
      switch (random_() % 8) {
        case 0: ask_batch(); break;
        case 1:
        case 2: {
          const auto stranger =
              perform([&] { return guard().contains("stranger" + std::to_string(random_() % 5000)); });
          if (stranger.ok() && *stranger) scene_.wrong("a stranger is called present");
          break;
        }
        default: (void)ask(any_key());
      }
    }
  }

 private:
  void ask_batch() {
    std::vector<std::uint32_t> keys(30);
    std::ranges::generate(keys, [&] { return any_key(); });
    std::vector<std::string> names, values(keys.size());
    for (const std::uint32_t key : keys) names.push_back(Journal::name(key));
    const std::vector<std::string_view> views(names.begin(), names.end());
    std::vector<std::uint8_t> present(keys.size());
    std::vector<std::uint64_t> before;
    for (const std::uint32_t key : keys) before.push_back(journal().look(key));
    if (!perform([&] { return guard().get(views, values, present); }).ok()) return;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint32_t number = present[i] != 0 ? number_of(keys[i], values[i]) : 0;
      if (!journal().may_be(keys[i], before[i], number)) {
        scene_.wrong(described(keys[i], number, journal()) + ", in a batch");
      }
    }
  }
};

// Looks after the set as a whole.
class Keeper : Actor {
 public:
  using Actor::Actor;

  void run() {
    while (!scene_.over()) {
      switch (random_() % 8) {
        case 0: (void)perform([&] { return guard().rebuild(); }); break;
        case 1:
        case 2: (void)perform([&] { return guard().save(); }); break;
        case 3: (void)perform([&] { return guard().resize(64 * (8 + random_() % 120)); }); break;
        case 4: {
          const auto report = perform([&] { return guard().verify(); });
          if (report.ok() && !report->ok()) scene_.wrong("verify: " + report->problems.front());
          break;
        }
        default: std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 20));
      }
    }
  }
};

}  // namespace

bool inspect(Guard& guard, Journal& journal) {
  bool right = true;
  for (std::uint32_t key = 0; key < journal.keys(); ++key) {
    std::string value;
    const auto found = guard.get(Journal::name(key), value);
    if (!found.ok()) {
      std::fprintf(stderr, "storm: %s: %s\n", Journal::name(key).c_str(), found.error().what.c_str());
      return false;
    }
    const std::uint32_t number = *found ? static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10)) : 0;
    if ((*found && value != Journal::text(key, number)) || !journal.may_have_become(key, number)) {
      std::fprintf(stderr, "storm: after opening: %s\n", described(key, number, journal).c_str());
      right = false;
    }
    journal.settle(key, number);
  }
  const auto report = guard.verify();
  if (!report.ok() || !report->ok()) {
    std::fprintf(stderr, "storm: verify after opening: %s\n",
                 report.ok() ? report->problems.front().c_str() : report.error().what.c_str());
    right = false;
  }
  return right;
}

void live(Guard& guard, Faults& faults, Journal& journal, const LifeOptions& options) {
  Scene scene{guard, journal, options, std::chrono::steady_clock::now() + options.length};
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < kWriters; ++i) threads.emplace_back([&scene, i] { Writer(scene, i).run(); });
  for (unsigned i = 0; i < kReaders; ++i) threads.emplace_back([&scene, i] { Reader(scene, kWriters + i).run(); });
  threads.emplace_back([&scene] { Keeper(scene, kWriters + kReaders).run(); });
  // Now and then there is an outage, and now and then nothing fails.
  std::mt19937_64 random(options.seed);
  while (!scene.over()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + random() % 30));
    switch (random() % 6) {
      case 0: faults.crash(); break;
      case 1: faults.turn_off(); break;
      default: faults.revive(), faults.turn_on();
    }
  }
  threads.clear();
  faults.revive();
  faults.turn_off();
  journal.totals().faults.fetch_add(faults.errors());
}

}  // namespace telescope::storm
