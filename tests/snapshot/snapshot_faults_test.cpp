// Saving when the system does not play along: the old file stays, and nothing else is left behind.
//
// The calls by which a snapshot reaches the disk are our own here: the program's definitions come before the C
// library's.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "support/snapshot_bytes.hpp"
#include "support/twin.hpp"
#include "telescope/snapshot.hpp"

namespace {
enum class Call { none, write, sync, rename, sync_directory };
Call failing = Call::none;
int reason = 0;  // what to fail with; zero: die
int syncs = 0;
int interruptions = 0;   // calls that a signal interrupts before they do anything
bool inherited = false;  // a program that is started meanwhile would have the file, too
bool interrupted(int fd) {
  inherited |= (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
  if (interruptions == 0) return false;
  --interruptions;
  errno = EINTR;
  return true;
}
bool fails(Call call) {
  if (call != failing) return false;
  if (reason == 0) _exit(42);
  errno = reason;
  return true;
}
}  // namespace

extern "C" {
ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  if (interrupted(fd)) return -1;
  if (offset == 0 && fails(Call::write)) return -1;  // the header, which comes last
  return syscall(SYS_pwrite64, fd, bytes, count, offset);
}
int fsync(int fd) {
  if (interrupted(fd)) return -1;
  if (fails(syncs++ == 0 ? Call::sync : Call::sync_directory)) return -1;
  return static_cast<int>(syscall(SYS_fsync, fd));
}
int rename(const char* from, const char* to) noexcept {
  if (fails(Call::rename)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, -100, from, -100, to, 0));
}
}

namespace telescope::testing {
namespace {

using F = Taf<8>;
const Xxh3 kHash(Secret{{1, 2}});

F filter_of(std::uint64_t members, std::uint64_t slots = 1024) {
  auto filter = std::move(F::create({.slots = slots}, kHash)).value();
  for (std::uint64_t key = 0; key < members; ++key) EXPECT_TRUE(filter.insert(key).ok());
  return filter;
}

class SnapshotFaults : public ::testing::Test {
 protected:
  SnapshotFaults() {
    EXPECT_TRUE(save_snapshot(filter_of(10), path).ok());
    old = read_bytes(path);
  }
  Outcome<void> save(Call call, int with) {
    failing = call;
    reason = with;
    syncs = 0;
    auto status = save_snapshot(filter_of(20), path);
    failing = Call::none;
    return status;
  }
  Directory directory;
  std::filesystem::path path = directory / "a.tsnap";
  Bytes old;
};

TEST_F(SnapshotFaults, AnErrorLeavesTheOldFileAndNothingElse) {
  const struct {
    Call call;
    int with;
    const char* what;
  } faults[] = {{Call::write, ENOSPC, "No space left on device"},
                {Call::sync, EIO, "cannot sync "},
                {Call::rename, EACCES, "cannot rename to "}};
  for (const auto& fault : faults) {
    const auto status = save(fault.call, fault.with);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, Error::io_failed);
    EXPECT_NE(status.error().what.find(fault.what), std::string::npos) << status.error().what;
    EXPECT_NE(status.error().what.find(path.string()), std::string::npos) << status.error().what;
    EXPECT_EQ(read_bytes(path), old);
    EXPECT_EQ(directory.files(), 1u);
  }
  // Behind the rename: the new file is there, and the caller knows that it may not last.
  const auto status = save(Call::sync_directory, EIO);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("in place"), std::string::npos) << status.error().what;
  EXPECT_EQ(load_snapshot<F>(path, kHash)->size(), 20u);
}

TEST_F(SnapshotFaults, ACrashAnywhereLeavesAFileThatLoads) {
  for (const Call call : {Call::write, Call::sync, Call::rename, Call::sync_directory}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      (void)save(call, 0);
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
    const auto loaded = load_snapshot<F>(path, kHash);
    ASSERT_TRUE(loaded.ok()) << loaded.error().what;
    EXPECT_EQ(loaded->size(), call == Call::sync_directory ? 20u : 10u);
  }
  // What the dead have left is not in the way.
  ASSERT_TRUE(save(Call::none, 0).ok());
  EXPECT_EQ(load_snapshot<F>(path, kHash)->size(), 20u);
}

TEST_F(SnapshotFaults, FilesMayNotGrow) {
  const auto large = filter_of(10, 1 << 18);  // 352 KB
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 100'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto status = save_snapshot(large, path);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("File too large"), std::string::npos) << status.error().what;
  EXPECT_EQ(read_bytes(path), old);
  EXPECT_EQ(directory.files(), 1u);
}

TEST_F(SnapshotFaults, AnInterruptedCallIsMadeAgain) {
  for (const int times : {1, 2, 10}) {
    interruptions = times;
    inherited = false;
    ASSERT_TRUE(save(Call::none, 0).ok());
    EXPECT_EQ(interruptions, 0);
    EXPECT_FALSE(inherited);
    EXPECT_EQ(load_snapshot<F>(path, kHash)->size(), 20u);
  }
}

TEST_F(SnapshotFaults, APipeIsNoFile) {
  const std::string pipe = (directory / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(load_snapshot<F>(pipe, kHash).error().code, Error::foreign) << "and nobody waits for its writer";
}

TEST_F(SnapshotFaults, AnOpenFileIsNotInherited) {
  const auto reader = SnapshotReader::open(path);
  ASSERT_TRUE(reader.ok());
  unsigned found = 0;
  for (int fd = 0; fd < 256; ++fd) {
    std::error_code none;
    const auto target = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), none);
    if (target != path) continue;
    ++found;
    EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(found, 1u);
}

// As many checksums as chunks that have bytes, and blocks at a page of their own.
TEST(SnapshotLayout, HasAChecksumForEachChunk) {
  using detail::SnapshotHeader;
  SnapshotHeader header;
  header.shape = detail::shape_of(FilterKind::taf, 5);  // 64 bytes a block, and 128 behind the last
  for (const std::uint64_t blocks : {1022u, 1023u, 2046u, 2047u}) {
    header.slots = 64 * blocks;
    ASSERT_EQ(header.blocks().length, 64 * blocks + 128);
    EXPECT_EQ(header.chunks(), blocks < 1023 ? 1u : blocks < 2047 ? 2u : 3u) << blocks;
    EXPECT_EQ(header.chunk(header.chunks() - 1).end(), header.blocks().length);
    EXPECT_EQ(header.checksums().length, 8 * header.chunks());
    for (header.note_bytes = 0; header.note_bytes < 200'000; header.note_bytes += 77) {
      EXPECT_EQ(header.blocks().offset % 4096, 0u);
      EXPECT_GE(header.blocks().offset, header.checksums().end());
      EXPECT_LT(header.blocks().offset, header.checksums().end() + 4096);
    }
  }
}

TEST_F(SnapshotFaults, DirectoriesThatAreNotThereOrNotOurs) {
  const auto filter = filter_of(10);
  EXPECT_EQ(save_snapshot(filter, directory / "none/a.tsnap").error().code, Error::io_failed);
  EXPECT_EQ(save_snapshot(filter, directory.path()).error().code, Error::io_failed);
  EXPECT_EQ(save_snapshot(filter, "/proc/a.tsnap").error().code, Error::io_failed);
  EXPECT_EQ(directory.files(), 1u);
}

}  // namespace
}  // namespace telescope::testing
