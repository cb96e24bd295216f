#include "format.hpp"

#include <sodium/crypto_generichash.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/snapshot/shape.hpp"

namespace telescope::inline v1::detail {
namespace {

using bits::load64;
using bits::store64;

// Not text, and reveals whether a transfer took it for text.
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

enum SectionType : std::uint32_t { kSecret = 1, kNote, kChecksums, kBlocks };
constexpr std::size_t kEntry = 32;

std::uint32_t load32(const std::byte* p) noexcept {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | std::to_integer<std::uint32_t>(p[i]);
  return word;
}
void store32(std::byte* p, std::uint64_t word) noexcept {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::byte>(word >> 8 * i & 0xff);
}

// 2 is retired.
constexpr unsigned char hash_byte(HashKind kind) noexcept { return kind == HashKind::xxh3 ? 1 : 3; }

Failure corrupt(const auto&... parts) noexcept { return make_failure(Error::corrupt, parts...); }

Outcome<void> check_start(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept {
  if (file_bytes == 0) return corrupt("the file is empty");
  const std::size_t known = std::min<std::size_t>(start.size(), kMagic.size());
  if (std::memcmp(start.data(), kMagic.data(), known) != 0) {
    return make_failure(Error::foreign, "bad magic number: not a Telescope snapshot");
  }
  if (start.size() < SnapshotHeader::kBytes) {
    return corrupt("truncated: ", file_bytes, " bytes, but the header alone takes ", SnapshotHeader::kBytes);
  }
  if (const std::uint32_t version = load32(start.data() + kAtVersion); version != SnapshotHeader::kVersion) {
    if (version < SnapshotHeader::kVersion) {
      return corrupt("format version ", version, " was never released and is not read");
    }
    return make_failure(Error::newer, "format version ", version, " is newer than this library reads (",
                        SnapshotHeader::kVersion, ")");
  }
  if (const std::uint32_t bytes = load32(start.data() + kAtHeaderBytes); bytes != SnapshotHeader::kBytes) {
    return corrupt("header: invalid length ", bytes, ", must be ", SnapshotHeader::kBytes);
  }
  if (checksum(start.first(kAtChecksum)) != load64(start.data() + kAtChecksum)) {
    return corrupt("header: checksum mismatch");
  }
  if (const std::uint64_t said = load64(start.data() + kAtFileBytes); said != file_bytes) {
    return corrupt(said > file_bytes ? "truncated: " : "too long: ", file_bytes, " bytes, but the header says ", said);
  }
  return {};
}

// Any parameter of the event code is known, if only to be refused as another filter's.
bool is_known(const FilterShape& shape) noexcept {
  if (shape.width < bits::kMinWidth || shape.width > bits::kMaxWidth) return false;
  FilterShape known = shape_of(shape.kind, shape.width);
  if (shape.kind == FilterKind::taf && shape.x != 0) known.x = shape.x;
  return shape == known;
}

// Reads the fields that everything else follows from.
Outcome<void> read_fields(const std::byte* p, SnapshotHeader& header) noexcept {
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint8_t>(p[at]); };
  if (byte(kAtKind) < 1 || byte(kAtKind) > 4) return corrupt("header: unknown filter kind ", byte(kAtKind));
  if (byte(kAtCode) > 3) return corrupt("header: unknown code ", byte(kAtCode));
  if (byte(kAtOverflow) > 1) return corrupt("header: unknown overflow policy ", byte(kAtOverflow));
  header.shape = {static_cast<FilterKind>(byte(kAtKind) - 1), byte(kAtWidth), static_cast<CodeKind>(byte(kAtCode)),
                  byte(kAtX), byte(kAtY)};
  if (!is_known(header.shape)) return corrupt("header: no filter has this kind, width and code");
  header.overflow = static_cast<Overflow>(byte(kAtOverflow));
  header.hash = byte(kAtHash) == hash_byte(HashKind::xxh3) ? HashKind::xxh3 : HashKind::siphash;
  if (byte(kAtHash) != hash_byte(header.hash)) return corrupt("header: unknown hash ", byte(kAtHash));
  header.slots = load64(p + kAtSlots);
  header.size = load64(p + kAtSize);
  if (header.slots == 0 || header.slots % 64 != 0 || header.slots > FilterOptions::kMaxSlots) {
    return corrupt("header: invalid number of slots ", header.slots);
  }
  if (header.size > header.slots) return corrupt("header: ", header.size, " members in ", header.slots, " slots");
  std::memcpy(header.key_check.data(), p + kAtKeyCheck, header.key_check.size());

  // Of the section table: whether there are a secret and a note, the note's length, and the checksums.
  const std::byte* entry = p + kAtTable;
  if (load32(entry) == kSecret) {
    header.has_secret = true;
    header.secret_sum = load64(entry + 24);
    entry += kEntry;
  }
  if (load32(entry) == kNote) {
    header.note_bytes = load64(entry + 16);
    header.note_sum = load64(entry + 24);
    entry += kEntry;
    if (header.note_bytes == 0 || header.note_bytes > kMaxNote) {
      return corrupt("header: invalid length of the note ", header.note_bytes);
    }
  }
  header.checksums_sum = load64(entry + 24);
  return {};
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

bool all_zero(std::span<const std::byte> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::array<std::byte, SnapshotHeader::kSecretBytes> secret_bytes(const Secret& secret) noexcept {
  std::array<std::byte, SnapshotHeader::kSecretBytes> bytes;
  store64(bytes.data(), secret.words[0]);
  store64(bytes.data() + 8, secret.words[1]);
  return bytes;
}

// Covers the whole secret, also words that a hash does not use: the fewer bits there are to guess, the less a one-way
// function hides them.
std::array<std::byte, 16> key_check(const HashKey& key) noexcept {
  static constexpr std::string_view kDomain = "telescope snapshot key check 1";
  std::array<unsigned char, kDomain.size() + 1 + SnapshotHeader::kSecretBytes> input;
  std::memcpy(input.data(), kDomain.data(), kDomain.size());
  input[kDomain.size()] = hash_byte(key.kind);
  const auto secret = secret_bytes(key.secret);
  std::memcpy(input.data() + kDomain.size() + 1, secret.data(), secret.size());
  std::array<std::byte, 16> check{};
  static_assert(crypto_generichash_BYTES_MIN <= 16);
  crypto_generichash(reinterpret_cast<unsigned char*>(check.data()), check.size(), input.data(), input.size(), nullptr,
                     0);
  return check;
}

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
  p[kAtHash] = static_cast<std::byte>(hash_byte(header.hash));
  store64(p + kAtSlots, header.slots);
  store64(p + kAtSize, header.size);
  store32(p + kAtBlockBytes, SnapshotHeader::block_bytes(header.shape));
  store32(p + kAtChunk, SnapshotHeader::kChunk);
  std::memcpy(p + kAtKeyCheck, header.key_check.data(), header.key_check.size());
  std::uint32_t sections = 0;
  const auto add = [&](SectionType type, const Section& where, std::uint64_t sum) {
    std::byte* const entry = p + kAtTable + sections++ * kEntry;
    store32(entry, type);
    store64(entry + 8, where.offset);
    store64(entry + 16, where.length);
    store64(entry + 24, sum);
  };
  if (header.has_secret) add(kSecret, header.secret(), header.secret_sum);
  if (header.note_bytes != 0) add(kNote, header.note(), header.note_sum);
  add(kChecksums, header.checksums(), header.checksums_sum);
  add(kBlocks, header.blocks(), header.checksums_sum);
  store32(p + kAtSections, sections);
  store64(p + kAtChecksum, checksum({p, kAtChecksum}));
  return bytes;
}

Outcome<SnapshotHeader> decode_header(std::span<const std::byte> start, std::uint64_t file_bytes) noexcept {
  SnapshotHeader header;
  if (auto status = check_start(start, file_bytes); !status) return std::move(status).error();
  if (auto status = read_fields(start.data(), header); !status) return std::move(status).error();
  if (header.file_bytes() != file_bytes) {
    return corrupt("header: ", header.slots, " slots take ", header.file_bytes(), " bytes, the file has ", file_bytes);
  }
  // The other bytes repeat those fields, or are zero.
  const HeaderBytes expected = encode_header(header);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (start[i] == expected[i]) continue;
    return corrupt("header: byte ", i, " is ", std::to_integer<unsigned>(start[i]), ", must be ",
                   std::to_integer<unsigned>(expected[i]));
  }
  return header;
}

}  // namespace telescope::inline v1::detail
