// What the verbs are made of: numbers, keys, CSV, progress, streams, forecasts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "demo/race.hpp"
#include "demo/streams.hpp"
#include "io/key_form.hpp"
#include "io/key_reader.hpp"
#include "io/numbers.hpp"
#include "io/progress.hpp"
#include "plan/forecast.hpp"

namespace telescope::tool {
namespace {

TEST(Numbers, CountsAsPeopleWriteThem) {
  EXPECT_EQ(parse_count("1000000"), 1'000'000u);
  EXPECT_EQ(parse_count("1_000_000"), 1'000'000u);
  EXPECT_EQ(parse_count("1e9"), 1'000'000'000u);
  EXPECT_EQ(parse_count("1.5k"), 1'500u);
  EXPECT_EQ(parse_count("2^20"), 1u << 20);
  EXPECT_EQ(parse_count("0x10"), 16u);
  EXPECT_EQ(parse_count("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad :
       {"", "k", "-1", "1.5", "1e30", "2^64", "2^-1", "many", "1 000", "nan", "18446744073709551616x"}) {
    EXPECT_FALSE(parse_count(bad)) << bad;
  }
}

TEST(Numbers, RatesAsPeopleWriteThem) {
  EXPECT_DOUBLE_EQ(*parse_rate("1/256"), 1.0 / 256);
  EXPECT_DOUBLE_EQ(*parse_rate("2^-8"), 1.0 / 256);
  EXPECT_DOUBLE_EQ(*parse_rate("0.4%"), 0.004);
  EXPECT_DOUBLE_EQ(*parse_rate("0.004"), 0.004);
  for (const char* bad : {"", "0", "1", "2", "1/0", "-0.1", "x", "1/x", "2^0"}) EXPECT_FALSE(parse_rate(bad)) << bad;
}

TEST(Numbers, AsPeopleReadThem) {
  EXPECT_EQ(with_commas(1), "1");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1375000), "1.4 MB");
  EXPECT_EQ(short_count(12345), "12.3 k");
  EXPECT_EQ(short_count(999999), "1.00 M");
  EXPECT_EQ(seconds_text(0.00032), "320 us");
  EXPECT_EQ(seconds_text(200), "3 min 20 s");
}

TEST(KeyForm, HexAndWordsGoThereAndBack) {
  std::string bytes, text;
  EXPECT_EQ(decode_key("258", KeyForm::u64, bytes), "");
  EXPECT_EQ(bytes, std::string("\x02\x01\0\0\0\0\0\0", 8));
  spell_key(bytes, KeyForm::u64, text);
  EXPECT_EQ(text, "258");
  EXPECT_EQ(decode_key("00fF", KeyForm::hex, bytes), "");
  EXPECT_EQ(bytes, std::string("\0\xff", 2));
  EXPECT_NE(decode_key("0ff", KeyForm::hex, bytes), "");
  EXPECT_NE(decode_key("0x", KeyForm::u64, bytes), "");
  EXPECT_NE(decode_key(" 1", KeyForm::u64, bytes), "");
  EXPECT_NE(decode_key("18446744073709551616", KeyForm::u64, bytes), "");
}

TEST(KeyForm, Utf8) {
  for (const char* good : {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad :
       {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

class Files : public testing::Test {
 protected:
  ~Files() override { std::remove(path_.c_str()); }

  std::vector<std::string> keys(const std::string& content, KeySource source = {}) {
    std::ofstream(path_, std::ios::binary) << content;
    source.file = path_;
    KeyReader reader(source);
    std::vector<std::string> keys;
    while (reader.next()) keys.push_back(reader.key());
    return keys;
  }

  const std::string path_ = testing::TempDir() + "cli_units_" + std::to_string(getpid());
};
using Strings = std::vector<std::string>;

TEST_F(Files, Lines) {
  EXPECT_EQ(keys(""), Strings());
  EXPECT_EQ(keys("a\n\nb\r\nc"), (Strings{"a", "", "b", "c"}));
  KeySource source;
  source.null = true;
  EXPECT_EQ(keys("a\nb\r", source), Strings{"a\nb\r"});
}

TEST_F(Files, LinesLongerThanAnyBuffer) {
  const std::string longer(1'000'000, 'x');
  EXPECT_EQ(keys("a\n" + longer + "\nb\n" + longer), (Strings{"a", longer, "b", longer}));
}

TEST_F(Files, Csv) {
  KeySource source;
  source.csv_column = "2";
  EXPECT_EQ(keys("a,\"b\"\"c\"\r\nd,\"e,\nf\"\r\ng,\n", source), (Strings{"b\"c", "e,\nf", ""}));
  source.csv_column = "y";
  EXPECT_EQ(keys("x,y\n1,2\n", source), Strings{"2"});
}

TEST(ProgressText, SaysWhatIsLeftAndFits) {
  const std::string text = progress_text({"adding", 500, 0.25, 2}, 200);
  EXPECT_EQ(text, "adding  [######..................]  25 %  500  250/s  6.0 s left");
  EXPECT_EQ(progress_text({"adding", 500, -1, 2}, 200), "adding  500  250/s");
  EXPECT_EQ(progress_text({"adding", 500, 0.25, 2}, 10).size(), 10u);
}

TEST(SkewedStream, FollowsZipf) {
  constexpr std::uint64_t kUnique = 1000, kQueries = 1 << 20;
  const contest::Keys keys(7);
  contest::SkewedStream stream(keys, 50, kUnique, 3);
  std::vector<std::uint64_t> asked(kQueries);
  stream.next(asked);
  std::map<std::uint64_t, std::uint64_t> counts;
  for (std::uint64_t key : asked) ++counts[key];
  double harmonic = 0;
  for (std::uint64_t k = 1; k <= kUnique; ++k) harmonic += 1 / static_cast<double>(k);
  for (std::uint64_t k : {1u, 2u, 10u, 500u, 1000u}) {
    const double expected = static_cast<double>(kQueries) / harmonic / static_cast<double>(k);
    EXPECT_NEAR(static_cast<double>(counts[keys[50 + k - 1]]), expected, 6 * std::sqrt(expected)) << k;
  }
  EXPECT_EQ(counts.size(), kUnique);  // and no other key
}

TEST(AdversarialStream, RepeatsWhatItWasTold) {
  const contest::Keys keys(7);
  contest::AdversarialStream stream(keys, 100, 8);
  std::vector<std::uint64_t> asked(8);
  stream.next(asked);
  EXPECT_EQ(asked.front(), keys[100]);
  EXPECT_EQ(asked.back(), keys[107]);
  stream.told(asked, std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 1, 0});
  std::vector<std::uint64_t> again(5);
  stream.next(again);
  EXPECT_EQ(again, (std::vector<std::uint64_t>{keys[101], keys[106], keys[101], keys[106], keys[101]}));
}

PlanOptions plan_of(std::uint64_t keys, std::uint64_t unique_per_key) {
  PlanOptions options;
  options.keys = keys;
  options.unique_negatives = keys * unique_per_key;
  return options;
}

TEST(Forecast, FollowsTheory) {
  const Forecast plan = forecast(plan_of(1'000'000, 10));
  EXPECT_NEAR(plan.filter_bytes * 8, 1e6 / 0.95 * 11, 1000);
  EXPECT_NEAR(plan.fresh_rate, 0.95 / 256, 1e-6);
  EXPECT_NEAR(plan.first_time, 1e7 * 0.95 / 256, 100);
  EXPECT_GT(plan.settling, 0);
  EXPECT_LT(plan.settling, 0.1 * plan.first_time);
  EXPECT_NEAR(plan.static_positives, 10 * plan.first_time, 10);
  EXPECT_LT(plan.adaptive_positives, 0.15 * plan.static_positives);
  EXPECT_GE(plan.adaptive_positives, plan.first_time);
}

TEST(Forecast, MoreNegativesAreNeverBetter) {
  double rate = 0;
  for (std::uint64_t unique : {1u, 5u, 10u, 20u, 40u, 60u, 80u, 100u, 140u, 200u, 1000u}) {
    const Forecast plan = forecast(plan_of(1'000'000, unique));
    const double now = plan.adaptive_positives / static_cast<double>(plan.queries);
    EXPECT_GE(now, rate) << unique;
    EXPECT_LE(plan.adaptive_positives, plan.static_positives * 1.0001) << unique;
    rate = now;
  }
}

TEST(Forecast, WithoutAdaptingNothingIsSaved) {
  PlanOptions options = plan_of(1'000'000, 10);
  options.filter = FilterKind::rsqf;
  const Forecast plan = forecast(options);
  EXPECT_DOUBLE_EQ(plan.adaptive_positives, plan.static_positives);
}

}  // namespace
}  // namespace telescope::tool
