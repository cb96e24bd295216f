// The key of a record as bytes, for databases that order their keys bytewise (as memcmp does, unsigned).
//
//   byte 0..7   position P, big-endian
//   byte 8..    the key, as it is; it may be empty and may hold zeros
//
// Bytewise order of these is the order of records: by position, then by key bytes, a prefix before its continuations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "telescope/store.hpp"

namespace telescope::inline v1 {

using PositionBytes = std::array<char, 8>;

// Returns the position in big-endian order.
constexpr PositionBytes encode_position(std::uint64_t position) noexcept {
  PositionBytes bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(static_cast<unsigned char>(position >> (56 - 8 * i)));
  }
  return bytes;
}

// Replaces what `into` holds, and reuses its memory.
inline void encode_store_key(const RecordKey& key, std::string& into) {
  const PositionBytes position = encode_position(key.position);
  into.assign(position.data(), position.size());
  into.append(key.key);
}
inline std::string encode_store_key(const RecordKey& key) {
  std::string bytes;
  bytes.reserve(sizeof(PositionBytes) + key.key.size());
  encode_store_key(key, bytes);
  return bytes;
}

// Returns the key that the bytes encode, which points into them; or none if there are fewer than eight.
constexpr std::optional<RecordKey> decode_store_key(std::string_view bytes) noexcept {
  if (bytes.size() < sizeof(PositionBytes)) return std::nullopt;
  std::uint64_t position = 0;
  for (std::size_t i = 0; i < sizeof(PositionBytes); ++i) {
    position = position << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return RecordKey{position, bytes.substr(sizeof(PositionBytes))};
}

}  // namespace telescope::inline v1
