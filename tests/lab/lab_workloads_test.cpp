// Workloads: the FireHose streams bit for bit, and the laws of all.
#include <gtest/gtest.h>
#include <sodium.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "workloads/active_set.hpp"
#include "workloads/adversary.hpp"
#include "workloads/power_law.hpp"
#include "workloads/recorded.hpp"
#include "workloads/replay.hpp"
#include "workloads/uniform.hpp"
#include "workloads/zipf.hpp"

namespace telescope::lab {
namespace {

#if defined(TELESCOPE_SANITIZED)
constexpr bool kShort = true;
#else
constexpr bool kShort = false;
#endif

// SHA-256 of the first `keys` keys as little-endian words.
template <class Generator>
std::string digest(Generator generator, std::uint64_t keys) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::vector<unsigned char> bytes;
  for (std::uint64_t i = 0; i < keys; ++i) {
    const std::uint64_t key = generator.next();
    for (unsigned b = 0; b < 8; ++b) bytes.push_back(static_cast<unsigned char>(key >> (8 * b)));
    if (bytes.size() < 65536 && i + 1 < keys) continue;
    crypto_hash_sha256_update(&state, bytes.data(), bytes.size());
    bytes.clear();
  }
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state, hash.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> hex;
  return sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
}

struct Golden {
  double exponent;
  const char* million;
  const char* ten_million;
};

TEST(LabFirehose, ActiveSetIsTheOriginalBitForBit) {
  constexpr std::array kGolden = {Golden{-1.5, "897831b5f8b815696b50185a4a2ed48a1652bc2d3b38d1394dd605c8acda8eb6",
                                         "9e4c8a108849d899dc8486a56682319167c84164995ad025dbb6c487a97ad031"},
                                  Golden{-0.5, "138df0ca3f634fd53435ed7a8781a9bb0441e7d88d5f9fd264af0bbd88f5538e",
                                         "35af3dc8649be9f55dd5c356326f5de3ed716cd30b0de31a2b0a1adb8230253c"},
                                  Golden{+0.5, "6fca8f134bdb05a2fa159945922924d5e28f0f4bba7358d619917b6cb39f0846",
                                         "2a6ad248a6ffb29dd7e3023dffa83e6243d294f5baf42468b9f25c13f0f801db"}};
  for (const Golden& golden : kGolden) {
    EXPECT_EQ(digest(ActiveSet(golden.exponent), 1'000'000), golden.million) << golden.exponent;
    if (!kShort) {
      EXPECT_EQ(digest(ActiveSet(golden.exponent), 10'000'000), golden.ten_million) << golden.exponent;
    }
  }
}

TEST(LabFirehose, PowerLawIsTheOriginalBitForBit) {
  EXPECT_EQ(digest(PowerLaw(), 1'000'000), "51327f249a8c73b049a8f196d30e3f88a697937265bfbf9999fa1ce5f7df88a8");
  if (!kShort) {
    EXPECT_EQ(digest(PowerLaw(), 10'000'000), "e7ad79bce9149f6dd732a445743be8f78b5b05c0702c0cb8e523e5c4706f8ae0");
  }
}

TEST(LabFirehose, PowerLawHasTheOriginalDistributionFunction) {
  const PowerLaw generator;
  const std::vector<std::uint32_t>& cumulative = generator.cumulative();
  EXPECT_EQ(cumulative[1], 715827882u);
  EXPECT_EQ(cumulative[10], 1567104322u);
  EXPECT_EQ(cumulative[1000], 2087323069u);
  EXPECT_EQ(cumulative[99'999], 2141465325u);
}

TEST(LabFirehose, StreamsHaveTheOriginalNumberOfKeys) {
  EXPECT_EQ(record(PowerLaw(), 500'000).unique(), 8'296u);
  EXPECT_EQ(record(ActiveSet(-1.5), 500'000).unique(), 473'969u);
}

TEST(LabZipf, RanksHaveTheirShares) {
  for (const double exponent : {0.5, 1.0, 1.5}) {
    constexpr std::uint64_t kRanks = 1000, kDraws = 200'000;
    const ZipfRanks ranks(kRanks, exponent);
    Random random(11);
    std::vector<double> counts(kRanks + 1);
    for (std::uint64_t i = 0; i < kDraws; ++i) ++counts[ranks(random)];
    double all = 0;
    for (std::uint64_t k = 1; k <= kRanks; ++k) all += std::pow(k, -exponent);
    EXPECT_EQ(counts[0], 0);
    for (const std::uint64_t k : {1u, 2u, 3u, 10u, 100u, 1000u}) {
      const double expected = kDraws * std::pow(k, -exponent) / all;
      EXPECT_NEAR(counts[k], expected, 5 * std::sqrt(expected)) << "rank " << k << " of exponent " << exponent;
    }
  }
}

// A scene: members, and the workload anew. `wrong` is what the filter would answer falsely.
struct Case {
  const char* name;
  std::vector<std::uint64_t> members;
  std::function<std::unique_ptr<Workload>()> make;
  std::uint64_t queries = 0;  // 0: depends on the answers
};

std::vector<Case> cases() {
  static const Keys keys(3);
  static const Recording recording = record(ActiveSet(0.5), 300'000);
  static const RecordedMembers fresh = fresh_members(recording, 500, 1);
  static const RecordedMembers partition = partition_members(recording, 3, 1);
  const std::vector<std::uint64_t> members = keys.range(0, 500);
  const auto uniform = [](unsigned passes, bool shuffled) {
    return [=] {
      return std::make_unique<UniformWorkload>(UniformWorkload::Options{500, 3000, passes, shuffled}, keys, 9);
    };
  };
  return {
      {"uniform", members, uniform(4, false), 12'000},
      {"shuffled", members, uniform(4, true), 12'000},
      {"fresh", members, uniform(1, false), 3'000},
      {"zipf", members,
       [] {
         return std::make_unique<ZipfWorkload>(ZipfWorkload::Options{500, 3000, 20'000, 1.0}, keys, 9);
       },
       20'000},
      {"adversary", members,
       [] {
         return std::make_unique<AdversaryWorkload>(AdversaryWorkload::Options{500, 3000, 5}, keys);
       }},
      {"replay", members,
       [] {
         return std::make_unique<ReplayWorkload>(ReplayWorkload::Options{500, 3000, 3}, keys, 9);
       }},
      {"stream", fresh.keys, [] { return std::make_unique<RecordedWorkload>(recording, fresh.among, 2); }, 600'000},
      {"partition", partition.keys, [] { return std::make_unique<RecordedWorkload>(recording, partition.among, 2); }},
  };
}

std::vector<std::uint64_t> run(Workload& workload, std::uint64_t wrong_one_in) {
  std::vector<std::uint64_t> asked;
  while (const auto query = workload.next()) {
    asked.push_back(query->key);
    workload.answered(mix64(query->key) % wrong_one_in == 0);
  }
  return asked;
}

TEST(LabWorkloads, AskNoMemberAndKnowRepeats) {
  for (const Case& each : cases()) {
    const std::unordered_set<std::uint64_t> members(each.members.begin(), each.members.end());
    EXPECT_EQ(members.size(), each.members.size()) << each.name;
    std::unordered_set<std::uint64_t> seen;
    std::uint64_t queries = 0;
    const auto workload = each.make();
    while (const auto query = workload->next()) {
      ++queries;
      ASSERT_FALSE(members.contains(query->key)) << each.name;
      ASSERT_EQ(query->repeat, !seen.insert(query->key).second) << each.name << " query " << queries;
      workload->answered(mix64(query->key) % 20 == 0);
    }
    EXPECT_GT(queries, 0u) << each.name;
    if (each.queries != 0) {
      EXPECT_EQ(queries, each.queries) << each.name;
    }
  }
}

TEST(LabWorkloads, AreTheSameAgain) {
  for (const Case& each : cases()) {
    const auto once = each.make(), again = each.make();
    EXPECT_EQ(run(*once, 30), run(*again, 30)) << each.name;
  }
}

TEST(LabAdversary, WhittlesDownToWhatStaysFalse) {
  const Keys keys(3);
  AdversaryWorkload adversary({500, 3000, 5}, keys);
  const auto stubborn = [](std::uint64_t key) { return mix64(key) % 100 == 0; };
  std::uint64_t wrong = 0;
  for (const std::uint64_t key : keys.range(500, 3000)) wrong += stubborn(key);
  const auto asked = run(adversary, 100);
  // 3000 in the first round, then only the stubborn, to the last of five.
  EXPECT_EQ(asked.size(), 10 * 3000 + 4 * 10 * wrong);
  EXPECT_DOUBLE_EQ(adversary.last_round()->fpr, 1);
  EXPECT_DOUBLE_EQ(adversary.last_round()->held, static_cast<double>(wrong) / 500);
}

TEST(LabAdversary, EndsWhenItHoldsTooFew) {
  AdversaryWorkload adversary({500, 3000, 5}, Keys(3));
  EXPECT_EQ(run(adversary, 1'000'000'007).size(), 30'000u);
  EXPECT_DOUBLE_EQ(adversary.last_round()->fpr, 0);
}

TEST(LabReplay, ReplaysOnlyWhatWasFalse) {
  ReplayWorkload replay({500, 3000, 3}, Keys(3), 1);
  std::unordered_set<std::uint64_t> wrong;
  std::uint64_t repeats = 0;
  while (const auto query = replay.next()) {
    if (query->repeat) {
      ++repeats;
      ASSERT_TRUE(wrong.contains(query->key));
    }
    const bool positive = mix64(query->key) % 50 == 0;
    if (positive) wrong.insert(query->key);
    replay.answered(positive);
  }
  EXPECT_GT(repeats, 8000u);
}

TEST(LabReplay, GivesUpWhatIsFixed) {
  ReplayWorkload replay({500, 3000, 3}, Keys(3), 1);
  std::uint64_t first_time = 0, repeats = 0;
  while (const auto query = replay.next()) {
    const bool positive = !query->repeat && mix64(query->key) % 50 == 0;
    first_time += positive;
    repeats += query->repeat;
    replay.answered(positive);
  }
  EXPECT_LE(repeats, first_time * ReplayWorkload::kPatience);
}

TEST(LabPartition, TakesAShareOfTheKeys) {
  const Recording recording = record(PowerLaw(), 100'000);
  for (const double as : {1.0, 10.0, 100.0}) {
    const RecordedMembers members = partition_members(recording, as, 1);
    EXPECT_EQ(members.keys.size(), static_cast<std::size_t>(static_cast<double>(recording.unique()) / (as + 1)));
    EXPECT_NE(members.keys, partition_members(recording, as, 2).keys);
  }
}

}  // namespace
}  // namespace telescope::lab
