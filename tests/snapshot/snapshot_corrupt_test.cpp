// Files that are not what they should be: an error that names what is wrong, every time, and never "absent".
#include <fcntl.h>
#include <unistd.h>

#include "support/snapshot_bytes.hpp"
#include "support/twin.hpp"
#include "telescope/mapped_filter.hpp"

namespace telescope::testing {
namespace {

using F = Taf<8>;
const Xxh3 kHash(Secret{{1, 2}});
constexpr std::uint64_t kMembers = 115;

Bytes small_file(const Directory& directory, bool extras = true) {
  auto filter = std::move(F::create({.slots = 128}, kHash)).value();
  Members store;
  for (std::uint64_t key = 0; key < kMembers; ++key) {
    EXPECT_TRUE(filter.insert(key).ok());
    store.insert(filter.hash_of(key));
  }
  for (std::uint64_t key = 1000; key < 3000; ++key) (void)filter.adapt(key, store);
  const std::string_view note = "a note";
  SaveOptions options;
  if (extras) options = {.include_secret = true, .note = std::as_bytes(std::span(note))};
  EXPECT_TRUE(save_snapshot(filter, directory / "good", options).ok());
  return read_bytes(directory / "good");
}

// What a file that is wrong somewhere may do: fail to load; fail to map, or answer no member with "absent" and own up
// when it is verified.
void expect_refused(const std::filesystem::path& path, const std::string& about) {
  const auto loaded = load_snapshot<F>(path, kHash);
  ASSERT_FALSE(loaded.ok()) << about;
  ASSERT_FALSE(loaded.error().what.empty()) << about;
  const auto mapped = map_snapshot<F>(path, kHash);
  if (!mapped.ok()) return;
  for (std::uint64_t key = 0; key < kMembers; ++key) ASSERT_TRUE(mapped->contains(key)) << about;
  ASSERT_FALSE(mapped->verify().ok()) << about;
  ASSERT_FALSE(mapped->status().ok()) << about;
  for (std::uint64_t key = 0; key < kMembers; ++key) ASSERT_TRUE(mapped->contains(key)) << about;
}

TEST(SnapshotCorrupt, EveryFlipOfEveryByte) {
  const Directory directory;
  const auto path = directory / "flipped";
  Bytes bytes = small_file(directory);
  write_bytes(path, bytes);
  ASSERT_TRUE(load_snapshot<F>(path, kHash).ok());
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  const auto poke = [&](std::size_t at, std::uint8_t byte) {
    ASSERT_EQ(::pwrite(file, &byte, 1, static_cast<off_t>(at)), 1);
  };
  for (std::size_t at = 0; at < bytes.size() && !HasFatalFailure(); ++at) {
    for (const unsigned flip : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 255u}) {
      poke(at, static_cast<std::uint8_t>(bytes[at] ^ flip));
      expect_refused(path, "byte " + std::to_string(at) + " xor " + std::to_string(flip));
    }
    poke(at, bytes[at]);
  }
  ::close(file);
  EXPECT_TRUE(load_snapshot<F>(path, kHash).ok());
}

TEST(SnapshotCorrupt, EveryTruncationAndBytesBehindTheEnd) {
  const Directory directory;
  const auto path = directory / "cut";
  Bytes bytes = small_file(directory);
  write_bytes(path, bytes);
  for (std::size_t length = bytes.size(); length-- > 0 && !HasFatalFailure();) {
    std::filesystem::resize_file(path, length);
    ASSERT_FALSE(map_snapshot<F>(path, kHash).ok()) << length;
    expect_refused(path, std::to_string(length));
  }
  EXPECT_EQ(load_snapshot<F>(path, kHash).error().what,
            path.string() + ": the file is empty; rebuild the filter from the store");
  bytes.push_back(0);
  write_bytes(path, bytes);
  EXPECT_TRUE(load_snapshot<F>(path, kHash).error().what.starts_with(path.string() + ": too long:"));
  EXPECT_FALSE(map_snapshot<F>(path, kHash).ok());
}

struct Lie {
  const char* what;  // the error begins with it, behind the path
  std::size_t at;
  int width;
  std::uint64_t value;
  Error code = Error::corrupt;
};

TEST(SnapshotCorrupt, HeadersThatLieUnderRightChecksums) {
  const Directory directory;
  const auto path = directory / "forged";
  const Bytes good = small_file(directory);
  const std::uint64_t huge = ~std::uint64_t{0};
  // Entries of the table: secret at 80, note at 112, checksums at 144, blocks at 176.
  const Lie lies[] = {
      {"bad magic number: not a Telescope snapshot", 0, 8, 0x0a0d474e50890000, Error::foreign},
      {"format version 3 is newer than this library reads (2)", 8, 4, 3, Error::newer},
      {"format version 4294967295 is newer", 8, 4, 0xffffffff, Error::newer},
      {"format version 0 was never released and is not read", 8, 4, 0},
      {"format version 1 was never released and is not read", 8, 4, 1},
      {"header: invalid length 512", 12, 4, 512},
      {"truncated: ", 16, 8, huge},
      {"too long: ", 16, 8, 0},
      {"header: unknown filter kind 0", 24, 1, 0},
      {"header: unknown filter kind 5", 24, 1, 5},
      {"header: no filter has this", 24, 1, 1},
      {"header: no filter has this", 25, 1, 3},
      {"header: no filter has this", 25, 1, 255},
      {"header: unknown code 6", 26, 1, 6},
      {"header: no filter has this", 26, 1, 3},
      {"header: no filter has this", 27, 1, 0},
      {"header: no filter has this", 28, 1, 1},
      {"its letters are in code event(7, 0), not event(4, 0)", 27, 1, 7, Error::other_filter},
      {"header: unknown overflow policy 2", 29, 1, 2},
      {"header: unknown hash 0", 30, 1, 0},
      {"header: unknown hash 2", 30, 1, 2},
      {"header: unknown hash 4", 30, 1, 4},
      {"saved under hash siphash, not xxh3", 30, 1, 3, Error::wrong_secret},
      {"header: byte 31 is 1, must be 0", 31, 1, 1},
      {"header: invalid number of slots 0", 32, 8, 0},
      {"header: invalid number of slots 127", 32, 8, 127},
      {"header: invalid number of slots 18446744073709551552", 32, 8, huge - 63},
      {"header: invalid number of slots 9223372036854775936", 32, 8, 128 + (std::uint64_t{1} << 63)},
      {"header: 192 slots take 4488 bytes, the file has 4400", 32, 8, 192},
      {"header: 1099511627776 slots take ", 32, 8, std::uint64_t{1} << 40},
      {"header: 129 members in 128 slots", 40, 8, 129},
      {"blocks: inconsistent: the number of used slots", 40, 8, kMembers - 1},
      {"header: byte 48 is 89, must be 88", 48, 4, 89},
      {"header: byte 52 is 1, must be 0", 52, 4, 1},
      {"saved under another secret", 56, 8, 0, Error::wrong_secret},
      {"header: byte 72 is 5, must be 4", 72, 4, 5},
      {"header: byte 72 is 0, must be 4", 72, 4, 0},
      {"header: byte 72 is 3, must be 4", 72, 4, 3},
      {"header: byte 76 is 1, must be 0", 76, 4, 1},
      {"header: byte 96 is 17, must be 16", 96, 8, 17},
      {"header: byte 89 is 0, must be 1", 88, 8, 0},
      {"header: byte 72 is 4, must be 3", 80, 4, 2},
      {"header: byte 72 is 4, must be 2", 80, 4, 9},
      {"header: byte 84 is 1, must be 0", 84, 4, 1},
      {"header: invalid length of the note 18446744073709551615", 128, 8, huge},
      {"header: invalid length of the note 0", 128, 8, 0},
      {"header: invalid length of the note 65537", 128, 8, kMaxNote + 1},
      {"header: byte 120 is 255, must be 16", 120, 8, huge},
      {"header: byte 152 is 0, must be 24", 152, 8, 256},
      {"header: byte 160 is 255, must be 8", 160, 8, huge},
      {"header: byte 185 is 0, must be 16", 184, 8, 0},
      {"header: byte 185 is 240, must be 16", 184, 8, huge - 4095},
      {"header: byte 192 is 255, must be 48", 192, 8, huge},
      {"header: byte 208 is 1, must be 0", 208, 8, 1},
  };
  for (const Lie& lie : lies) {
    Bytes bytes = good;
    put(bytes, lie.at, lie.width, lie.value);
    fix_checksums(bytes);
    write_bytes(path, bytes);
    const auto loaded = load_snapshot<F>(path, kHash);
    ASSERT_FALSE(loaded.ok()) << lie.what;
    EXPECT_EQ(loaded.error().code, lie.code) << lie.what;
    EXPECT_TRUE(loaded.error().what.starts_with(path.string() + ": " + lie.what))
        << lie.what << " | " << loaded.error().what;
    const auto mapped = map_snapshot<F>(path, kHash, {.thorough = true});
    ASSERT_FALSE(mapped.ok()) << lie.what;
    EXPECT_EQ(mapped.error().what, loaded.error().what);
  }
}

// Whatever a chunk says that is not what was saved, members are found, and the error names the chunk.
TEST(SnapshotCorrupt, ChunksOfALargerFile) {
  const Directory directory;
  const auto path = directory / "large";
  auto filter = std::move(F::create({.slots = 64 * 3000}, kHash)).value();
  const std::uint64_t members = 180'000;
  for (std::uint64_t key = 0; key < members; ++key) ASSERT_TRUE(filter.insert(key).ok());
  ASSERT_TRUE(save_snapshot(filter, path, {.sync = false}).ok());
  const Bytes good = read_bytes(path);
  const std::size_t blocks = 4096, chunk_bytes = 65536, chunks = (good.size() - blocks + chunk_bytes - 1) / chunk_bytes;
  ASSERT_EQ(chunks, 5u);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    Bytes bytes = good;
    const std::size_t from = blocks + chunk * chunk_bytes;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), std::min(chunk_bytes, bytes.size() - 128 - from),
                chunk % 2 == 0 ? std::uint8_t{0} : std::uint8_t{0xff});
    write_bytes(path, bytes);
    const std::string name = "blocks: checksum mismatch in chunk " + std::to_string(chunk) + ";";
    EXPECT_NE(load_snapshot<F>(path, kHash).error().what.find(name), std::string::npos);
    const auto mapped = map_snapshot<F>(path, kHash);
    ASSERT_TRUE(mapped.ok());
    EXPECT_NE(mapped->to_memory().error().what.find(name), std::string::npos);

    // Only what is asked for is verified: here, the chunk that a member is in.
    const auto fresh = map_snapshot<F>(path, kHash);
    for (std::uint64_t key = 0; fresh->status().ok() && key < members; ++key) ASSERT_TRUE(fresh->contains(key));
    EXPECT_NE(fresh->status().error().what.find(name), std::string::npos);
    std::uint64_t negatives = 0;
    for (std::uint64_t key = 0; key < members; ++key) ASSERT_TRUE(fresh->contains(key)) << chunk;
    for (std::uint64_t key = members; key < members + 10'000; ++key) negatives += !fresh->contains(key);
    EXPECT_GT(negatives, 5000u) << "the other chunks are as good as before";
  }
}

// What becomes of a file after it was mapped takes no member away, and ends no process.
TEST(SnapshotCorrupt, AMappedFileShrinksAndChanges) {
  const Directory directory;
  const auto path = directory / "mapped";
  auto filter = std::move(F::create({.slots = 64 * 3000}, kHash)).value();
  const std::uint64_t members = 180'000;
  for (std::uint64_t key = 0; key < members; ++key) ASSERT_TRUE(filter.insert(key).ok());
  const auto count_present = [&](const MappedFilter<F>& mapped, std::uint64_t from) {
    std::uint64_t present = 0;
    for (std::uint64_t key = from; key < from + members; ++key) present += mapped.contains(key);
    return present;
  };
  enum class Read { nothing, some, all };
  for (const Read before : {Read::nothing, Read::some, Read::all}) {
    for (const bool shrinks : {true, false}) {
      ASSERT_TRUE(save_snapshot(filter, path, {.sync = false}).ok());
      const auto mapped = map_snapshot<F>(path, kHash);
      ASSERT_TRUE(mapped.ok());
      if (before == Read::some) {
        ASSERT_TRUE(mapped->contains(std::uint64_t{0}));
      }
      if (before == Read::all) {
        ASSERT_TRUE(mapped->verify().ok());
      }
      if (shrinks) {
        std::filesystem::resize_file(path, 4096);
      } else {
        std::fstream(path, std::ios::binary | std::ios::in | std::ios::out)
            .seekp(4096)
            .write(std::string(200'000, '\0').c_str(), 200'000);
      }
      EXPECT_EQ(count_present(*mapped, 0), members);
      EXPECT_EQ(mapped->status().ok(), before == Read::all);
      EXPECT_EQ(mapped->verify().ok(), before == Read::all);
      if (before == Read::all) {
        EXPECT_LT(count_present(*mapped, members), members / 100);
      } else if (shrinks) {
        EXPECT_NE(mapped->status().error().what.find("truncated while it was read"), std::string::npos);
      }
    }
  }
}

// Right checksums, wrong blocks: refused, or harmless.
TEST(SnapshotCorrupt, ForgedBlocks) {
  const Directory directory;
  const auto path = directory / "forged";
  const Bytes good = small_file(directory, false);
  std::mt19937_64 random(7);
  const std::size_t blocks = 4096;
  for (unsigned round = 0; round < 500 * kEffort; ++round) {
    Bytes bytes = good;
    for (std::uint64_t n = 1 + random() % 6; n > 0; --n) {
      bytes[blocks + random() % (bytes.size() - blocks)] = static_cast<std::uint8_t>(random());
    }
    fix_checksums(bytes);
    write_bytes(path, bytes);
    auto loaded = load_snapshot<F>(path, kHash);
    const auto mapped = map_snapshot<F>(path, kHash);
    for (std::uint64_t key = 0; key < 300; ++key) {
      if (loaded.ok()) {
        (void)loaded->contains(key);
        (void)loaded->adapt(key, MemberMap());
        (void)loaded->insert(key + 5000);
      }
      if (mapped.ok()) (void)mapped->contains(key);
    }
    if (mapped.ok()) {
      EXPECT_EQ(mapped->verify().ok(), loaded.ok());
    }
  }
  Bytes bytes = good;
  bytes.back() = 1;
  fix_checksums(bytes);
  write_bytes(path, bytes);
  EXPECT_FALSE(load_snapshot<F>(path, kHash).ok());
  EXPECT_FALSE(map_snapshot<F>(path, kHash).ok());
}

TEST(SnapshotCorrupt, NoFileOrNotOne) {
  const Directory directory;
  const auto refuse = [&](const std::filesystem::path& path, Error code, const char* what) {
    const auto loaded = load_snapshot<F>(path, kHash);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().code, code);
    EXPECT_NE(loaded.error().what.find(what), std::string::npos) << loaded.error().what;
    EXPECT_EQ(map_snapshot<F>(path, kHash).error().code, code);
    EXPECT_EQ(read_snapshot_info(path).error().code, code);
  };
  refuse(directory / "missing", Error::io_failed, "missing: No such file or directory");
  refuse(directory.path(), Error::io_failed, "Is a directory");
  refuse("/dev/null", Error::foreign, "not a regular file");
  write_bytes(directory / "text", Bytes(5000, 'x'));
  refuse(directory / "text", Error::foreign, "not a Telescope snapshot");
  write_bytes(directory / "short", Bytes{0x89, 'T', 'S'});
  refuse(directory / "short", Error::corrupt, "truncated: 3 bytes");
}

}  // namespace
}  // namespace telescope::testing
