// Traces: what each format yields, and what is wrong with bad ones.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/errors.hpp"
#include "trace/source.hpp"

namespace telescope::lab {
namespace {

using Bytes = std::string;

Bytes little(std::uint64_t value, unsigned size) {
  Bytes bytes;
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
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
    skipped_ = read_trace(options, [&](std::uint64_t key) { all.push_back(key); });
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
  std::uint64_t skipped_ = 0;
};

TEST_F(LabTrace, WordsAreKeysAsTheyAre) {
  const std::vector<std::uint64_t> expected = {1, ~std::uint64_t{0}, 0x0102030405060708, 1};
  Bytes bytes;
  for (const std::uint64_t key : expected) bytes += little(key, 8);
  EXPECT_EQ(keys("some.u64", bytes), expected);
  EXPECT_EQ(keys({.file = file("some.bin", bytes), .format = "u64"}), expected);
}

TEST_F(LabTrace, LinesAreKeys) {
  const auto got = keys("some.txt", "a\nb\r\n\na\nb");
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got, (std::vector{key_of_bytes("a"), key_of_bytes("b"), key_of_bytes("a"), key_of_bytes("b")}));
  EXPECT_EQ(skipped_, 1u);
}

TEST_F(LabTrace, BadFilesSayWhatIsWrongAndWhatToDo) {
  expect_failure({.file = file("odd.u64", Bytes(12, 'x'))}, "64-bit words");
  expect_failure({.file = file("words.txt", little(1, 8))}, "not a text file");
  expect_failure({.file = (directory_ / "absent").string()}, "cannot be read");
  expect_failure({.file = directory_.string()}, "cannot be read");
}

}  // namespace
}  // namespace telescope::lab
