// A guard against a plain map: exact answers, whatever the filter thinks, and few reads of the store.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/guards.hpp"

namespace telescope::testing {
namespace {

#ifdef TELESCOPE_SANITIZED
constexpr int kEffort = 1;
#else
constexpr int kEffort = 8;
#endif

void insert_members(Guard& guard, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(guard.insert("member" + std::to_string(i)).ok());
}

struct Shape {
  FilterKind filter;
  unsigned width;
};
class EveryFilter : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Guard, EveryFilter,
                         ::testing::Values(Shape{FilterKind::taf, 8}, Shape{FilterKind::taf, 4},
                                           Shape{FilterKind::exaf, 8}, Shape{FilterKind::utaf, 5},
                                           Shape{FilterKind::rsqf, 8}),
                         [](const auto& shape) {
                           return std::string(to_string(shape.param.filter)) + std::to_string(shape.param.width);
                         });

// Few keys, so that each comes and goes many times; a small filter, so that it grows several times.
TEST_P(EveryFilter, AnswersAsAMapDoes) {
  MemoryStore store;
  Guard guard =
      make_guard(store, {.filter = GetParam().filter, .width = GetParam().width, .secret = kSecret, .capacity = 60});
  std::map<std::string, std::string, std::less<>> twin;
  std::mt19937_64 random(1);
  const auto key_of = [&] { return "key" + std::to_string(random() % 2000); };
  for (int i = 0; i < 4000 * kEffort; ++i) {
    const std::string key = key_of();
    switch (random() % 8) {
      case 0:
      case 1: {
        const std::string value = std::to_string(random() % 100);
        const auto fresh = guard.insert(key, value);
        ASSERT_TRUE(fresh.ok()) << fresh.error().what;
        EXPECT_EQ(*fresh, !twin.contains(key));
        twin[key] = value;
        break;
      }
      case 2: {
        const auto erased = guard.erase(key);
        ASSERT_TRUE(erased.ok()) << erased.error().what;
        EXPECT_EQ(*erased, twin.erase(key) == 1);
        break;
      }
      default: {
        std::string value = "as it was";
        const auto found = guard.get(key, value);
        ASSERT_TRUE(found.ok()) << found.error().what;
        const auto it = twin.find(key);
        EXPECT_EQ(*found, it != twin.end());
        EXPECT_EQ(value, it == twin.end() ? "as it was" : it->second);
        EXPECT_EQ(*guard.contains(key), *found);
      }
    }
  }
  expect_sound(guard, twin.size());
  EXPECT_GT(guard.counters().growths, 2u);
  EXPECT_LE(guard.info().load, 0.98);
}

TEST_P(EveryFilter, BatchesAnswerAsSinglesDo) {
  MemoryStore store;
  Guard guard =
      make_guard(store, {.filter = GetParam().filter, .width = GetParam().width, .secret = kSecret, .capacity = 100});
  std::map<std::string, std::string, std::less<>> twin;
  std::mt19937_64 random(2);
  for (int i = 0; i < 25 * kEffort; ++i) {
    std::vector<std::string> keys;
    for (int k = 0; k < 120; ++k) keys.push_back("key" + std::to_string(random() % 5000));
    keys.push_back(keys.front());  // twice in one batch, the second value counts
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    if (i % 3 == 0) {
      std::uint64_t there = 0;
      for (const std::string& key : keys) there += twin.erase(key);
      const auto erased = guard.erase(views);
      ASSERT_TRUE(erased.ok()) << erased.error().what;
      EXPECT_EQ(*erased, there);
    } else {
      std::vector<std::string> values;
      std::vector<Entry> entries;
      for (std::size_t k = 0; k < keys.size(); ++k) values.push_back(std::to_string(i) + "." + std::to_string(k));
      for (std::size_t k = 0; k < keys.size(); ++k) entries.push_back({keys[k], values[k]});
      const std::size_t before = twin.size();
      for (std::size_t k = 0; k < keys.size(); ++k) twin[keys[k]] = values[k];
      const auto fresh = guard.insert(entries);
      ASSERT_TRUE(fresh.ok()) << fresh.error().what;
      EXPECT_EQ(*fresh, twin.size() - before);
    }
    std::vector<std::string> asked;
    for (int k = 0; k < 1500; ++k) asked.push_back("key" + std::to_string(random() % 6000));
    const std::vector<std::string_view> asked_views(asked.begin(), asked.end());
    std::vector<std::string> values(asked.size());
    std::vector<std::uint8_t> present(asked.size()), again(asked.size());
    ASSERT_TRUE(guard.get(asked_views, values, present).ok());
    ASSERT_TRUE(guard.contains(asked_views, again).ok());
    EXPECT_EQ(present, again);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const auto it = twin.find(asked[k]);
      EXPECT_EQ(present[k] != 0, it != twin.end());
      EXPECT_EQ(values[k], it == twin.end() ? "" : it->second);
    }
  }
  expect_sound(guard, twin.size());
}

TEST(Guard, RepairsAFalsePositiveTheFirstTime) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 4000});
  insert_members(guard, 3900);
  std::uint64_t reads = guard.counters().store_reads;
  for (int pass = 0; pass < 4; ++pass) {
    ask_strangers(guard, 20000);
    const std::uint64_t cost = guard.counters().store_reads - reads;
    reads += cost;
    if (pass == 0) {
      EXPECT_GT(cost, 20u);  // one in 256 or so
    } else if (pass == 3) {
      EXPECT_LE(cost, 2u);
    }
  }
  const GuardCounters counters = guard.counters();
  EXPECT_EQ(counters.queries, 80000u);
  EXPECT_EQ(counters.filter_negatives + counters.false_positives, 80000u);
  EXPECT_EQ(counters.true_positives, 0u);
  EXPECT_GE(counters.adapts, 20u);
  EXPECT_LE(counters.repeated_false_positives, 5u);
  expect_sound(guard, 3900);
}

TEST(Guard, WithoutAdaptsFalsePositivesRepeat) {
  MemoryStore store;
  Guard guard = make_guard(store, {.filter = FilterKind::rsqf, .secret = kSecret, .capacity = 4000});
  insert_members(guard, 3900);
  for (int pass = 0; pass < 4; ++pass) ask_strangers(guard, 20000);
  const GuardCounters counters = guard.counters();
  EXPECT_EQ(counters.adapts, 0u);
  EXPECT_GE(counters.repeated_false_positives, counters.false_positives * 7 / 10);
}

TEST(Guard, ARateLimitWithholdsAdaptsAndNothingElse) {
  MemoryStore store;
  Guard guard =
      make_guard(store, {.secret = kSecret, .capacity = 4000}, {.adapts_per_second = 1e-6, .adapt_burst = 10});
  insert_members(guard, 3900);
  ask_strangers(guard, 20000);
  const GuardCounters counters = guard.counters();
  EXPECT_EQ(counters.adapts, 10u);
  EXPECT_EQ(counters.adapts_withheld + counters.adapts, counters.false_positives);
}

TEST(Guard, PreloadedNegativesCostNothing) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 4000});
  insert_members(guard, 3900);
  std::vector<std::string> known;
  for (int i = 0; i < 3900; i += 10) known.push_back("member" + std::to_string(i));
  for (int i = 0; i < 30000; ++i) known.push_back("stranger" + std::to_string(i / 3));
  const std::vector<std::string_view> views(known.begin(), known.end());
  const auto repaired = guard.preload_negatives(views);
  ASSERT_TRUE(repaired.ok());
  EXPECT_GT(*repaired, 10u);
  for (const std::string& key : known) EXPECT_EQ(*guard.contains(key), key.starts_with("member"));
  EXPECT_EQ(guard.counters().false_positives, 0u);
}

TEST(Guard, ReplacingAValueMovesNoBit) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 1000});
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(*guard.insert("key" + std::to_string(i), "old"));
  const GuardInfo before = guard.info();
  for (int i = 0; i < 900; ++i) ASSERT_FALSE(*guard.insert("key" + std::to_string(i), "new"));
  EXPECT_EQ(guard.info().members, before.members);
  std::string value;
  EXPECT_TRUE(*guard.get("key7", value));
  EXPECT_EQ(value, "new");
  expect_sound(guard, 900);
}

// A store that counts how many values it hands out.
class ValuesCounted {
 public:
  ValuesCounted(MemoryStore& store, int& values) : store_(store), values_(&values) {}
  Outcome<bool> get(const RecordKey& key, std::string& value) {
    ++*values_;
    return store_.get(key, value);
  }
  Outcome<bool> contains(const RecordKey& key) {
    std::string value;
    return store_.get(key, value);
  }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return store_.scan(first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) { return store_.write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) { return store_.get_meta(name, value); }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) { return store_.put_meta(writes); }

 private:
  Borrowed<MemoryStore> store_;
  int* values_;
};
static_assert(MembershipStore<ValuesCounted>);

TEST(Guard, OnlyGetReadsValues) {
  MemoryStore store;
  int values = 0;
  auto guard = Guard::create(ValuesCounted(store, values), {.secret = kSecret});
  ASSERT_TRUE(guard.ok());
  insert_members(*guard, 500);
  insert_members(*guard, 500);
  const std::vector<std::string_view> keys = {"member1", "stranger", "member2"};
  std::vector<std::uint8_t> present(keys.size());
  ASSERT_TRUE(guard->contains(keys, present).ok());
  EXPECT_EQ(present, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_TRUE(*guard->contains("member3"));
  ASSERT_TRUE(guard->preload_negatives(keys).ok());
  EXPECT_TRUE(*guard->erase("member4"));
  EXPECT_EQ(values, 0);
  std::string value;
  EXPECT_TRUE(*guard->get("member3", value));
  EXPECT_EQ(values, 1);
}

TEST(Guard, VisitsEveryMember) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret});
  std::map<std::string, std::string> put, seen;
  for (int i = 0; i < 500; ++i) put["key" + std::to_string(i)] = std::to_string(i);
  for (const auto& [key, value] : put) ASSERT_TRUE(guard.insert(key, value).ok());
  ASSERT_TRUE(guard
                  .each([&](const Entry& entry) {
                    seen.emplace(entry.key, entry.value);
                    return true;
                  })
                  .ok());
  EXPECT_EQ(put, seen);
  int visits = 0;
  ASSERT_TRUE(guard.each([&](const Entry&) { return ++visits < 3; }).ok());
  EXPECT_EQ(visits, 3);
}

TEST(Guard, TricksWithKeysAndValues) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret});
  const std::string zeros("\0\0a\0", 4), high("\xff\xfe"), longest(100000, 'x');
  for (const std::string& key : {std::string(), zeros, high, longest}) {
    EXPECT_TRUE(*guard.insert(key, key + "!"));
    std::string value;
    EXPECT_TRUE(*guard.get(key, value));
    EXPECT_EQ(value, key + "!");
    EXPECT_FALSE(*guard.contains(key + "?"));
  }
  expect_sound(guard, 4);
  EXPECT_TRUE(guard.insert(std::span<const Entry>()).ok());
  EXPECT_TRUE(guard.contains(std::span<const std::string_view>(), {}).ok());
}

TEST(Guard, AFilterThatDisagreesSaysSoAndCanBeRebuilt) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret, .capacity = 4000});
  insert_members(guard, 3900);
  // Half of the members leave the store without a word to the guard.
  for (int i = 0; i < 3900; i += 2) {
    const std::string key = "member" + std::to_string(i);
    const Write write{Xxh3(kSecret)(std::string_view(key)).position, key, std::nullopt};
    ASSERT_TRUE(store.write({&write, 1}).ok());
  }
  int disagreements = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto answer = guard.contains("stranger" + std::to_string(i));
    if (answer) {
      EXPECT_FALSE(*answer);
    } else {
      EXPECT_EQ(answer.error().code, Error::disagree);
      ++disagreements;
    }
  }
  EXPECT_GT(disagreements, 0);
  const auto report = guard.verify();
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->ok());
  EXPECT_EQ(report->lost, 0u);
  ASSERT_TRUE(guard.rebuild().ok());
  expect_sound(guard, 1950);
}

TEST(Guard, SpeaksToPrometheus) {
  MemoryStore store;
  Guard guard = make_guard(store, {.secret = kSecret});
  ASSERT_TRUE(guard.insert("key").ok());
  ASSERT_TRUE(*guard.contains("key"));
  const std::string text = to_prometheus(guard.counters(), guard.info(), "set=\"users\"");
  EXPECT_NE(text.find("\ntelescope_queries_total{set=\"users\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# TYPE telescope_members gauge\ntelescope_members{set=\"users\"} 1\n"), std::string::npos);
}

}  // namespace
}  // namespace telescope::testing
