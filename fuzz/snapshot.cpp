// Any bytes as a snapshot, half of the time with its checksums made right: an error, or a filter that can be used.
// A file that loads maps too, and the other way round.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "../tests/support/snapshot_bytes.hpp"
#include "telescope/mapped_filter.hpp"

namespace {

using namespace telescope;

// A file without a disk.
struct MemoryFile {
  MemoryFile() : fd(memfd_create("snapshot", MFD_CLOEXEC)), path("/proc/self/fd/" + std::to_string(fd)) {}
  void set(const testing::Bytes& bytes) const {
    if (ftruncate(fd, 0) != 0) __builtin_trap();
    if (pwrite(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) __builtin_trap();
  }
  int fd;
  std::string path;
};

template <class F>
void use(const std::string& path, const Secret& secret) {
  using H = std::remove_cvref_t<decltype(std::declval<F>().hash())>;
  auto loaded = load_snapshot<F>(path, H(secret));
  const auto mapped = map_snapshot<F>(path, H(secret));
  if (mapped.ok()) {
    for (std::uint64_t key = 0; key < 40; ++key) (void)mapped->contains(key);
    if (mapped->verify().ok() != loaded.ok()) __builtin_trap();
  }
  if (!loaded.ok()) {
    if (loaded.error().what.empty()) __builtin_trap();
    return;
  }
  if (!mapped.ok()) __builtin_trap();
  const auto silent = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
  const auto lying = [](const QuotientRange& range, MemberSink sink) -> Status {
    for (std::uint64_t i = 0; i < 3; ++i) sink({range.first_position, i * 0x9e3779b97f4a7c15});
    return {};
  };
  for (std::uint64_t key = 0; key < 40; ++key) {
    if (mapped->contains(key) != loaded->contains(key)) __builtin_trap();
  }
  for (std::uint64_t key = 0; key < 40; ++key) {
    (void)loaded->adapt(key, lying);
    (void)loaded->erase(key, lying);
    if (loaded->insert(key, silent).ok() && !loaded->contains(key)) __builtin_trap();
  }
}

}  // namespace

// The last byte says whether the checksums are made right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MemoryFile file;
  if (size == 0) return 0;
  telescope::testing::Bytes bytes(data, data + size - 1);
  if (data[size - 1] % 2 == 0) telescope::testing::fix_checksums(bytes);
  file.set(bytes);
  const Secret secret{{1, 2}};
  use<Taf<8>>(file.path, secret);
  use<Exaf<5>>(file.path, secret);
  use<Rsqf<8>>(file.path, secret);
  (void)read_snapshot_secret(file.path);
  const auto info = read_snapshot_info(file.path);
  if (info.ok() && info->file_bytes != bytes.size()) __builtin_trap();
  return 0;
}
