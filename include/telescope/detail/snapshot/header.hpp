// The header of a snapshot, and where the sections of the file lie. docs/format.md describes every byte.
//
//   | header | secret? | note? | checksums of the chunks | zeros up to a page | blocks, 128 zeros |
//   |<---------------------------- preamble ------------------------------->|
//
// The layout is a function of the header's fields. The section table in the file repeats it.
#pragma once

#include <array>

#include "telescope/detail/block/layout.hpp"
#include "telescope/snapshot_types.hpp"

namespace telescope::inline v1::detail {

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const noexcept { return offset + length; }
};

struct SnapshotHeader {
  static constexpr std::uint32_t kVersion = 2;
  static constexpr std::size_t kBytes = 256;
  static constexpr std::uint64_t kChunk = 1 << 16;   // bytes of blocks under one checksum
  static constexpr std::uint64_t kPage = 4096;       // blocks begin at a multiple of it
  static constexpr std::uint64_t kPadding = 128;     // Frame::kPadding
  static constexpr std::uint64_t kSecretBytes = 16;  // two words

  FilterShape shape;
  Overflow overflow = Overflow::evict;
  HashKind hash = HashKind::xxh3;
  std::uint64_t slots = 0;
  std::uint64_t size = 0;
  std::array<std::byte, 16> key_check{};  // BLAKE2b of hash and secret: identifies them without revealing them
  bool has_secret = false;
  std::uint64_t note_bytes = 0;
  std::uint64_t secret_sum = 0, note_sum = 0, checksums_sum = 0;

  static constexpr std::uint64_t block_bytes(const FilterShape& shape) noexcept {
    switch (shape.kind) {
      case FilterKind::rsqf: return Layout<bits::kAnyWidth, LetterStorage::none>(shape.width).bytes();
      case FilterKind::utaf: return Layout<bits::kAnyWidth, LetterStorage::raw>(shape.width).bytes();
      case FilterKind::taf:
      case FilterKind::exaf: break;
    }
    return Layout<bits::kAnyWidth, LetterStorage::coded>(shape.width).bytes();
  }
  std::uint64_t chunks() const noexcept { return (blocks_length() + kChunk - 1) / kChunk; }

  Section secret() const noexcept { return {kBytes, has_secret ? kSecretBytes : 0}; }
  Section note() const noexcept { return {secret().end(), note_bytes}; }
  Section checksums() const noexcept { return {(note().end() + 7) / 8 * 8, 8 * chunks()}; }
  Section blocks() const noexcept { return {preamble_bytes(), blocks_length()}; }
  std::uint64_t preamble_bytes() const noexcept { return (checksums().end() + kPage - 1) / kPage * kPage; }
  std::uint64_t file_bytes() const noexcept { return blocks().end(); }

  // The bytes that chunk i covers, counted from the first byte of the blocks.
  Section chunk(std::uint64_t i) const noexcept {
    const std::uint64_t from = i * kChunk, length = blocks_length();
    return {from, length - from < kChunk ? length - from : kChunk};
  }

 private:
  std::uint64_t blocks_length() const noexcept { return slots / 64 * block_bytes(shape) + kPadding; }
};

}  // namespace telescope::inline v1::detail
