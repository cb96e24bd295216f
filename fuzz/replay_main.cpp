// Runs a fuzz body over files instead of under a fuzzer: every file given, and every file in the directories given.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// Hidden files are not inputs: a .gitkeep holds an empty corpus open.
bool is_input(const fs::directory_entry& entry) {
  return entry.is_regular_file() && !entry.path().filename().string().starts_with('.');
}

std::vector<fs::path> inputs(const fs::path& root) {
  if (!fs::is_directory(root)) return {root};
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (is_input(entry)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fs::filesystem_error("cannot read", path, std::make_error_code(std::errc::io_error));
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  // A copy of exactly this size, so that the address sanitizer sees a read past the end.
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  std::fprintf(stderr, "%s\n", path.c_str());  // the last line names the culprit if the body aborts
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) try {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& path : inputs(argv[i])) {
      replay(path);
      ++count;
    }
  }
  std::printf("replayed %zu inputs\n", count);
  if (count > 0) return 0;
  std::fprintf(stderr, "no input found: give files or directories of inputs\n");
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
