// Traces: what each format yields, what is wrong with bad ones, and reuse distances against a plain count.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "io/errors.hpp"
#include "trace/reuse.hpp"
#include "trace/source.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

using Bytes = std::string;

Bytes little(std::uint64_t value, unsigned size) {
  Bytes bytes;
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}
Bytes big(std::uint64_t value, unsigned size) {
  Bytes bytes = little(value, size);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// Packets, from the outside in.
constexpr unsigned kTcp = 6, kUdp = 17, kIcmp = 1;

Bytes ethernet(unsigned type, const Bytes& payload) { return Bytes(12, '\x02') + big(type, 2) + payload; }
Bytes vlan(unsigned type, const Bytes& payload) {
  return Bytes(12, '\x02') + big(0x8100, 2) + big(5, 2) + big(type, 2) + payload;
}
Bytes ports(unsigned source, unsigned destination) { return big(source, 2) + big(destination, 2) + Bytes(16, '\0'); }
Bytes ipv4(unsigned protocol, unsigned from, unsigned to, const Bytes& payload, unsigned fragment = 0) {
  return big(0x45, 1) + big(0, 1) + big(20 + payload.size(), 2) + big(1, 2) + big(fragment, 2) + big(64, 1) +
         big(protocol, 1) + big(0, 2) + big(from, 4) + big(to, 4) + payload;
}
Bytes ipv6(unsigned next, unsigned from, unsigned to, const Bytes& payload) {
  return big(0x60000000, 4) + big(payload.size(), 2) + big(next, 1) + big(64, 1) + Bytes(12, '\0') + big(from, 4) +
         Bytes(12, '\0') + big(to, 4) + payload;
}
Bytes hop_by_hop(unsigned next, const Bytes& payload) { return big(next, 1) + big(0, 1) + Bytes(6, '\0') + payload; }

Bytes pcap(const std::vector<Bytes>& packets, unsigned link = 1) {
  Bytes file = little(0xa1b2c3d4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(65535, 4) + little(link, 4);
  for (const Bytes& packet : packets) {
    file += little(1, 4) + little(0, 4) + little(packet.size(), 4) + little(packet.size(), 4) + packet;
  }
  return file;
}

Bytes pcapng(const std::vector<Bytes>& packets, unsigned link = 1) {
  Bytes file = little(0x0a0d0d0a, 4) + little(28, 4) + little(0x1a2b3c4d, 4) + little(1, 2) + little(0, 2) +
               little(~std::uint64_t{0}, 8) + little(28, 4);
  file += little(1, 4) + little(20, 4) + little(link, 2) + little(0, 2) + little(65535, 4) + little(20, 4);
  for (const Bytes& packet : packets) {
    const Bytes padding((4 - packet.size() % 4) % 4, '\0');
    const auto size = static_cast<unsigned>(32 + packet.size() + padding.size());
    file += little(6, 4) + little(size, 4) + little(0, 8) + little(0, 4) + little(packet.size(), 4) +
            little(packet.size(), 4) + packet + padding + little(size, 4);
  }
  return file;
}

class LabTrace : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        std::filesystem::temp_directory_path() / (std::string("telescope_lab_trace.") + std::to_string(::getpid()) +
                                                  testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name, const Bytes& bytes) const {
    const auto path = directory_ / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path.string();
  }

  std::vector<std::uint64_t> keys(const TraceOptions& options) {
    std::vector<std::uint64_t> all;
    summary_ = read_trace(options, [&](std::uint64_t key) { all.push_back(key); });
    return all;
  }
  std::vector<std::uint64_t> keys(const std::string& name, const Bytes& bytes) {
    return keys({.file = file(name, bytes)});
  }

  // The message of the error, which is one line.
  std::string failure(const TraceOptions& options) {
    try {
      keys(options);
    } catch (const LabError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "no error";
  }

  void expect_failure(const TraceOptions& options, const std::string& words) {
    EXPECT_NE(failure(options).find(words), std::string::npos) << failure(options);
  }

  std::filesystem::path directory_;
  TraceSummary summary_;
};

TEST_F(LabTrace, WordsAreKeysAsTheyAre) {
  const std::vector<std::uint64_t> expected = {1, ~std::uint64_t{0}, 0x0102030405060708, 1};
  Bytes bytes;
  for (const std::uint64_t key : expected) bytes += little(key, 8);
  EXPECT_EQ(keys("some.u64", bytes), expected);
  EXPECT_EQ(summary_.format, "u64");
  EXPECT_EQ(keys({.file = file("some.bin", bytes), .format = "u64"}), expected);
}

TEST_F(LabTrace, LinesAreKeys) {
  const auto got = keys("some.txt", "a\nb\r\n\na\nb");
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got, (std::vector{key_of_bytes("a"), key_of_bytes("b"), key_of_bytes("a"), key_of_bytes("b")}));
  EXPECT_EQ(summary_.skipped, 1u);
}

TEST_F(LabTrace, ColumnsByNameAndByNumber) {
  const Bytes text = "time,url\n1,\"a,\"\"b\"\"\"\n2,c\n";
  const std::vector<std::uint64_t> urls = {key_of_bytes("a,\"b\""), key_of_bytes("c")};
  EXPECT_EQ(keys({.file = file("some.csv", text), .column = "url"}), urls);
  EXPECT_EQ(keys({.file = file("bare.csv", "1,\"a,\"\"b\"\"\"\n2,c\n"), .column = "2"}), urls);
  EXPECT_EQ(keys({.file = file("some.tsv", "name\tcount\nx\t3\n"), .column = "name"}), std::vector{key_of_bytes("x")});
}

std::vector<Bytes> packets() {
  return {ethernet(0x0800, ipv4(kTcp, 1, 2, ports(80, 1000))),
          ethernet(0x0800, ipv4(kTcp, 1, 2, ports(80, 1001))),                 // another port
          ethernet(0x0800, ipv4(kUdp, 1, 2, ports(80, 1000))),                 // another protocol
          ethernet(0x0800, ipv4(kTcp, 2, 1, ports(1000, 80))),                 // the other direction
          vlan(0x0800, ipv4(kTcp, 1, 2, ports(80, 1000))),                     // the first flow, tagged
          ethernet(0x0806, Bytes(28, '\0')),                                   // ARP: no flow
          ethernet(0x86dd, ipv6(kTcp, 1, 2, ports(80, 1000))),                 // another version
          ethernet(0x86dd, ipv6(0, 1, 2, hop_by_hop(kTcp, ports(80, 1000)))),  // the same, with an option
          ethernet(0x0800, ipv4(kIcmp, 1, 2, Bytes("\x08\0\x11\x22", 4))),     // no ports
          ethernet(0x0800, ipv4(kIcmp, 1, 2, Bytes("\x08\0\x33\x44", 4))),     // the same
          ethernet(0x0800, ipv4(kTcp, 1, 2, ports(7, 7), 100)),                // a later fragment: ports unknown
          ethernet(0x0800, Bytes("\x45", 1))};                                 // cut off
}

void expect_flows(const std::vector<std::uint64_t>& got, const TraceSummary& summary) {
  ASSERT_EQ(got.size(), 10u);
  EXPECT_EQ(summary.skipped, 2u);
  EXPECT_EQ(got[4], got[0]);
  EXPECT_EQ(got[6], got[5]);
  EXPECT_EQ(got[8], got[7]);
  EXPECT_EQ(std::unordered_set<std::uint64_t>(got.begin(), got.end()).size(), 7u);
}

TEST_F(LabTrace, PacketsAreFlows) {
  const auto classic = keys("some.pcap", pcap(packets()));
  expect_flows(classic, summary_);
  const auto next = keys("some.pcapng", pcapng(packets()));
  expect_flows(next, summary_);
  EXPECT_EQ(classic, next);
  EXPECT_EQ(keys("unnamed", pcap(packets())), classic);  // by its magic number
}

TEST_F(LabTrace, FlowsDoNotDependOnTheLink) {
  const Bytes ip = ipv4(kTcp, 1, 2, ports(80, 1000));
  const auto flow = keys("ethernet.pcap", pcap({ethernet(0x0800, ip)}));
  ASSERT_EQ(flow.size(), 1u);
  EXPECT_EQ(keys("raw.pcap", pcap({ip}, 101)), flow);
  EXPECT_EQ(keys("null.pcap", pcap({little(2, 4) + ip}, 0)), flow);
  EXPECT_EQ(keys("cooked.pcap", pcap({Bytes(14, '\0') + big(0x0800, 2) + ip}, 113)), flow);
  EXPECT_EQ(keys("cooked2.pcapng", pcapng({big(0x0800, 2) + Bytes(18, '\0') + ip}, 276)), flow);
}

// No packet, however cut or mangled, leads a parser out of its bytes (which the sanitizers see).
TEST_F(LabTrace, AnyPacketIsSafe) {
  Random random(1);
  std::vector<Bytes> all;
  for (const Bytes& packet : packets()) {
    for (std::size_t size = 0; size <= packet.size(); ++size) all.push_back(packet.substr(0, size));
    for (unsigned i = 0; i < 200; ++i) {
      Bytes mangled = packet;
      for (unsigned j = 0; j < 4; ++j) mangled[random.below(mangled.size())] = static_cast<char>(random.next());
      all.push_back(mangled.substr(0, random.below(mangled.size() + 1)));
    }
  }
  for (const unsigned link : {0u, 1u, 101u, 113u, 276u}) {
    EXPECT_EQ(keys("mangled.pcap", pcap(all, link)).size() + summary_.skipped, all.size());
  }
}

TEST_F(LabTrace, BadFilesSayWhatIsWrongAndWhatToDo) {
  const Bytes whole = pcap(packets());
  for (const std::size_t size : {whole.size() - 1, std::size_t{30}, std::size_t{10}}) {
    expect_failure({.file = file("cut.pcap", whole.substr(0, size))}, "truncated");
  }
  const Bytes next = pcapng(packets());
  expect_failure({.file = file("cut.pcapng", next.substr(0, next.size() - 3))}, "truncated");
  expect_failure({.file = file("not.pcap", "hello, world")}, "magic");
  expect_failure({.file = file("not.txt", "hello, world"), .format = "pcap"}, "magic");
  expect_failure({.file = file("radio.pcap", pcap({}, 127))}, "link type");
  expect_failure({.file = file("odd.u64", Bytes(12, 'x'))}, "64-bit words");
  expect_failure({.file = file("some.csv", "time,url\n1,a\n"), .column = "host"}, "choose one of time, url");
  expect_failure({.file = file("some.csv", "time,url\n1,a\n"), .column = "3"}, "no column 3");
  expect_failure({.file = file("some.csv", "time,url\n1,a\n")}, "--column");
  expect_failure({.file = file("some.csv", "time,url\n1\n"), .column = "url"}, "line 2");
  expect_failure({.file = (directory_ / "absent").string()}, "cannot be read");
  expect_failure({.file = directory_.string()}, "cannot be read");
}

TEST(LabReuse, DistancesAreWhatAPlainCountSays) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    const std::uint64_t range = seed == 1 ? 3 : 300 * seed;
    ReuseDistances distances;
    std::vector<std::uint64_t> stream, expected;
    for (unsigned i = 0; i < 6000; ++i) {
      const std::uint64_t key = random.below(1 + random.below(range));
      std::unordered_set<std::uint64_t> between;
      auto at = stream.rbegin();
      for (; at != stream.rend() && *at != key; ++at) between.insert(*at);
      if (at != stream.rend()) expected.push_back(between.size());
      stream.push_back(key);
      distances.add(key);
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(distances.repeats(), expected.size());
    EXPECT_EQ(distances.unique(), std::unordered_set<std::uint64_t>(stream.begin(), stream.end()).size());
    double sum = 0;
    for (const std::uint64_t d : expected) sum += static_cast<double>(d);
    EXPECT_NEAR(distances.mean(), sum / static_cast<double>(expected.size()), 1e-9);
    for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(expected.size())));
      EXPECT_EQ(distances.quantile(share), expected[std::max<std::size_t>(rank, 1) - 1]) << share;
    }
  }
}

}  // namespace
}  // namespace telescope::lab
