#include "snapshot_format.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "telescope/detail/bits/word.hpp"
#include "telescope/options.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {
namespace {

using bits::load64;
using bits::store64;

// Not text, and shows whether a transfer took it for text.
constexpr std::array<unsigned char, 8> kMagic = {0x89, 'T', 'S', 'N', 'A', 'P', '\r', '\n'};

enum At : std::size_t {
  kAtVersion = 8,
  kAtHeaderBytes = 12,
  kAtFileBytes = 16,
  kAtKind = 24,
  kAtWidth = 25,
  kAtCode = 26,
  kAtX = 27,
  kAtY = 28,
  kAtOverflow = 29,
  kAtHash = 30,
  kAtSlots = 32,
  kAtSize = 40,
  kAtBlockBytes = 48,
  kAtChunk = 52,
  kAtKeyCheck = 56,
  kAtSections = 72,
  kAtTable = 80,
  kAtChecksum = 248,
};
static_assert(kAtChecksum + 8 == SnapshotHeader::kBytes);

enum class SectionType : std::uint32_t { secret = 1, note, checksums, blocks };
constexpr std::size_t kEntry = 32, kMaxSections = 4;
constexpr const char* kSectionNames[] = {"?", "secret", "note", "checksums", "blocks"};

std::uint32_t load32(const std::byte* p) noexcept {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | std::to_integer<std::uint32_t>(p[i]);
  return word;
}
void store32(std::byte* p, std::uint32_t word) noexcept {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::byte>(word >> 8 * i & 0xff);
}

struct Entry {
  SectionType type;
  Section where;
  std::uint64_t sum;
};
struct Table {
  std::array<Entry, kMaxSections> entries;
  std::uint32_t count = 0;
  void add(SectionType type, Section where, std::uint64_t sum) noexcept { entries[count++] = {type, where, sum}; }
};

Table table_of(const SnapshotHeader& header) noexcept {
  Table table;
  if (header.has_secret) table.add(SectionType::secret, header.secret(), header.secret_sum);
  if (header.note_bytes != 0) table.add(SectionType::note, header.note(), header.note_sum);
  table.add(SectionType::checksums, header.checksums(), header.checksums_sum);
  table.add(SectionType::blocks, header.blocks(), header.checksums_sum);
  return table;
}

SnapshotError corrupt(const auto&... parts) noexcept { return snapshot_error(Error::corrupt, parts...); }

SnapshotStatus check_start(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept {
  if (file_bytes == 0) return corrupt("the file is empty");
  const std::size_t known = std::min<std::size_t>(start.size(), kMagic.size());
  if (std::memcmp(start.data(), kMagic.data(), known) != 0) {
    return snapshot_error(Error::foreign, "not a Telescope snapshot: it begins otherwise");
  }
  if (start.size() < SnapshotHeader::kBytes) {
    return corrupt("truncated: ", file_bytes, " bytes, the header alone has ", SnapshotHeader::kBytes);
  }
  if (const std::uint32_t version = load32(start.data() + kAtVersion); version != SnapshotHeader::kVersion) {
    if (version == 0) return corrupt("header: there is no format version 0");
    return snapshot_error(Error::newer, "format version ", version, " is newer than this library reads (",
                          SnapshotHeader::kVersion, ")");
  }
  if (const std::uint32_t bytes = load32(start.data() + kAtHeaderBytes); bytes != SnapshotHeader::kBytes) {
    return corrupt("header: has ", bytes, " bytes, not ", SnapshotHeader::kBytes);
  }
  if (checksum(start.first(kAtChecksum)) != load64(start.data() + kAtChecksum)) {
    return corrupt("header: its checksum differs");
  }
  return {};
}

bool known_shape(const FilterShape& shape) noexcept {
  const bool plain = shape.x == 0 && shape.y == 0;
  if (shape.width < 4 || shape.width > 16) return false;
  switch (shape.kind) {
    case FilterKind::rsqf: return shape.code == CodeKind::none && plain;
    case FilterKind::utaf: return shape.code == CodeKind::raw && plain;
    case FilterKind::exaf: return shape.code == CodeKind::extension && plain;
    case FilterKind::taf: break;
  }
  return shape.code == CodeKind::event && shape.x != 0 && shape.y == 0;
}

// The numbers that the layout hangs on.
SnapshotStatus read_fields(const std::byte* p, SnapshotHeader& header) noexcept {
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint8_t>(p[at]); };
  if (byte(kAtKind) < 1 || byte(kAtKind) > 4) return corrupt("header: filter kind ", byte(kAtKind), " is unknown");
  if (byte(kAtCode) > 3) return corrupt("header: code ", byte(kAtCode), " is unknown");
  if (byte(kAtOverflow) > 1) return corrupt("header: overflow policy ", byte(kAtOverflow), " is unknown");
  if (byte(kAtHash) != 1 && byte(kAtHash) != 3) return corrupt("header: hash ", byte(kAtHash), " is unknown");
  header.shape = {static_cast<FilterKind>(byte(kAtKind) - 1), byte(kAtWidth), static_cast<CodeKind>(byte(kAtCode)),
                  byte(kAtX), byte(kAtY)};
  if (!known_shape(header.shape)) return corrupt("header: no filter has this kind, width and code");
  header.overflow = static_cast<Overflow>(byte(kAtOverflow));
  header.hash = byte(kAtHash) == 1 ? HashKind::xxh3 : HashKind::siphash;
  header.slots = load64(p + kAtSlots);
  header.size = load64(p + kAtSize);
  if (header.slots == 0 || header.slots % 64 != 0 || header.slots > FilterOptions::kMaxSlots) {
    return corrupt("header: ", header.slots, " slots are not possible");
  }
  if (header.size > header.slots) return corrupt("header: ", header.size, " members in ", header.slots, " slots");
  std::memcpy(header.key_check.data(), p + kAtKeyCheck, header.key_check.size());
  return {};
}

// What the table says that is not fixed: which sections there are, the note's length and the checksums.
SnapshotStatus read_table(const std::byte* p, SnapshotHeader& header) noexcept {
  const std::uint32_t count = load32(p + kAtSections);
  if (count > kMaxSections) return corrupt("header: ", count, " sections");
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const entry = p + kAtTable + i * kEntry;
    const std::uint64_t length = load64(entry + 16), sum = load64(entry + 24);
    switch (static_cast<SectionType>(load32(entry))) {
      case SectionType::secret:
        header.has_secret = true;
        header.secret_sum = sum;
        break;
      case SectionType::note:
        if (length == 0 || length > kMaxNote) return corrupt("section note: ", length, " bytes");
        header.note_bytes = length;
        header.note_sum = sum;
        break;
      case SectionType::checksums: header.checksums_sum = sum; break;
      case SectionType::blocks: break;
      default: return corrupt("header: section type ", load32(entry), " is unknown");
    }
  }
  const Table table = table_of(header);
  if (table.count != count) return corrupt("header: ", count, " sections, there should be ", table.count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const entry = p + kAtTable + i * kEntry;
    const Entry& want = table.entries[i];
    const auto type = static_cast<std::uint32_t>(want.type);
    if (load32(entry) != type || load64(entry + 8) != want.where.offset || load64(entry + 16) != want.where.length) {
      return corrupt("section ", kSectionNames[type], ": not ", want.where.length, " bytes from byte ",
                     want.where.offset, " on");
    }
  }
  return {};
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

bool all_zero(std::span<const std::byte> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::byte hash_byte(HashKind kind) noexcept { return std::byte{kind == HashKind::xxh3 ? 1 : 3}; }

HeaderBytes encode_header(const SnapshotHeader& header) noexcept {
  HeaderBytes bytes{};
  std::byte* const p = bytes.data();
  std::memcpy(p, kMagic.data(), kMagic.size());
  store32(p + kAtVersion, SnapshotHeader::kVersion);
  store32(p + kAtHeaderBytes, SnapshotHeader::kBytes);
  store64(p + kAtFileBytes, header.file_bytes());
  p[kAtKind] = static_cast<std::byte>(static_cast<unsigned>(header.shape.kind) + 1);
  p[kAtWidth] = static_cast<std::byte>(header.shape.width);
  p[kAtCode] = static_cast<std::byte>(header.shape.code);
  p[kAtX] = static_cast<std::byte>(header.shape.x);
  p[kAtY] = static_cast<std::byte>(header.shape.y);
  p[kAtOverflow] = static_cast<std::byte>(header.overflow);
  p[kAtHash] = hash_byte(header.hash);
  store64(p + kAtSlots, header.slots);
  store64(p + kAtSize, header.size);
  store32(p + kAtBlockBytes, static_cast<std::uint32_t>(header.block_bytes()));
  store32(p + kAtChunk, static_cast<std::uint32_t>(SnapshotHeader::kChunk));
  std::memcpy(p + kAtKeyCheck, header.key_check.data(), header.key_check.size());
  const Table table = table_of(header);
  store32(p + kAtSections, table.count);
  for (std::uint32_t i = 0; i < table.count; ++i) {
    std::byte* const entry = p + kAtTable + i * kEntry;
    store32(entry, static_cast<std::uint32_t>(table.entries[i].type));
    store64(entry + 8, table.entries[i].where.offset);
    store64(entry + 16, table.entries[i].where.length);
    store64(entry + 24, table.entries[i].sum);
  }
  store64(p + kAtChecksum, checksum({p, kAtChecksum}));
  return bytes;
}

SnapshotResult<SnapshotHeader> decode_header(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept {
  SnapshotHeader header;
  if (auto status = check_start(start, file_bytes); !status) return std::move(status).error();
  const std::byte* const p = start.data();
  if (const std::uint64_t said = load64(p + kAtFileBytes); said != file_bytes) {
    return corrupt(said > file_bytes ? "truncated: " : "too long: ", file_bytes, " bytes, the header says ", said);
  }
  if (auto status = read_fields(p, header); !status) return std::move(status).error();
  if (auto status = read_table(p, header); !status) return std::move(status).error();
  if (header.file_bytes() != file_bytes) {
    return corrupt("header: ", header.slots, " slots need ", header.file_bytes(), " bytes, the file has ", file_bytes);
  }
  // All that is left: numbers that say the same twice, and bytes that must be zero.
  const HeaderBytes canonical = encode_header(header);
  if (std::memcmp(canonical.data(), p, canonical.size()) != 0) {
    return corrupt("header: a reserved byte or a redundant number is wrong");
  }
  return header;
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
