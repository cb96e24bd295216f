// What lies between the header and the blocks of a snapshot: secret, note, checksums.
#include <sodium/crypto_generichash.h>

#include <cstring>

#include "snapshot_format.hpp"
#include "telescope/detail/bits/word.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

SnapshotStatus check_head(const SnapshotHeader& header, std::span<const std::byte> head) noexcept {
  const auto section = [&](Section where) { return head.subspan(where.offset, where.length); };
  const auto differs = [](const char* name) {
    return snapshot_error(Error::corrupt, "section ", name, ": its checksum differs");
  };
  if (header.has_secret && checksum(section(header.secret())) != header.secret_sum) return differs("secret");
  if (header.note_bytes != 0 && checksum(section(header.note())) != header.note_sum) return differs("note");
  if (checksum(section(header.checksums())) != header.checksums_sum) return differs("checksums");
  const auto gap = [&](std::uint64_t from, std::uint64_t to) { return head.subspan(from, to - from); };
  if (!all_zero(gap(header.note().end(), header.checksums().offset)) ||
      !all_zero(gap(header.checksums().end(), header.blocks().offset))) {
    return snapshot_error(Error::corrupt, "a byte between two sections is not zero");
  }
  return {};
}

std::array<std::byte, SnapshotHeader::kSecretBytes> secret_bytes(const Secret& secret) noexcept {
  std::array<std::byte, SnapshotHeader::kSecretBytes> bytes;
  bits::store64(bytes.data(), secret.words[0]);
  bits::store64(bytes.data() + 8, secret.words[1]);
  return bytes;
}

// Over the whole secret, also words that a hash does not use: the fewer bits there are to guess, the less a one-way
// function hides them.
std::array<std::byte, 16> key_check(const HashKey& key) noexcept {
  static constexpr std::string_view kDomain = "telescope snapshot key check 1";
  std::array<unsigned char, kDomain.size() + 1 + SnapshotHeader::kSecretBytes> input;
  std::memcpy(input.data(), kDomain.data(), kDomain.size());
  input[kDomain.size()] = std::to_integer<unsigned char>(hash_byte(key.kind));
  const auto secret = secret_bytes(key.secret);
  std::memcpy(input.data() + kDomain.size() + 1, secret.data(), secret.size());
  std::array<std::byte, 16> check{};
  static_assert(crypto_generichash_BYTES_MIN <= 16);
  crypto_generichash(reinterpret_cast<unsigned char*>(check.data()), check.size(), input.data(), input.size(), nullptr,
                     0);
  return check;
}

SnapshotStatus expect_shape(const SnapshotHeader& header, const FilterShape& shape) noexcept {
  const FilterShape& has = header.shape;
  if (has == shape) return {};
  if (has.kind == shape.kind && has.width == shape.width) {
    return snapshot_error(Error::other_filter, "letters in code ", to_string(has.code), "(", has.x, ", ", has.y,
                          "), asked for ", to_string(shape.code), "(", shape.x, ", ", shape.y, ")");
  }
  return snapshot_error(Error::other_filter, "filter ", to_string(has.kind), " of width ", has.width, ", asked for ",
                        to_string(shape.kind), " of width ", shape.width);
}

SnapshotStatus expect_key(const SnapshotHeader& header, const HashKey& key) noexcept {
  if (header.hash != key.kind) {
    return snapshot_error(Error::wrong_secret, "saved under hash ", to_string(header.hash), ", given ",
                          to_string(key.kind));
  }
  if (header.key_check != key_check(key)) {
    return snapshot_error(Error::wrong_secret, "saved under another secret than the one given");
  }
  return {};
}

SnapshotResult<HashKey> stored_key(const SnapshotHeader& header, std::span<const std::byte> head) noexcept {
  if (!header.has_secret) {
    return snapshot_error(Error::wrong_secret, "the secret was not saved with the filter: give it");
  }
  const std::byte* const words = head.data() + header.secret().offset;
  const HashKey key{header.hash, Secret{{bits::load64(words), bits::load64(words + 8)}}};
  if (auto status = expect_key(header, key); !status) {
    return snapshot_error(Error::corrupt, "section secret: not the secret that the header was made with");
  }
  return key;
}

SnapshotError chunk_differs(std::uint64_t chunk) noexcept {
  return snapshot_error(Error::corrupt, "section blocks: the checksum of chunk ", chunk, " differs");
}

SnapshotInfo info_of(const SnapshotHeader& header, std::span<const std::byte> head) {
  const auto note = head.subspan(header.note().offset, header.note_bytes);
  return {.version = SnapshotHeader::kVersion,
          .shape = header.shape,
          .overflow = header.overflow,
          .hash = header.hash,
          .has_secret = header.has_secret,
          .slots = header.slots,
          .size = header.size,
          .file_bytes = header.file_bytes(),
          .note = {note.begin(), note.end()}};
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
