#include "telescope/hash.hpp"

#include <sodium/crypto_shorthash_siphash24.h>
#include <xxhash.h>

namespace telescope::inline v1 {
namespace {

using WordBytes = std::array<std::byte, 8>;

// Uses shifts, so that the bytes do not depend on the target.
WordBytes little_endian(std::uint64_t word) noexcept {
  WordBytes bytes;
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(word & 0xffU);
    word >>= 8;
  }
  return bytes;
}

std::uint64_t from_little_endian(const unsigned char* bytes) noexcept {
  std::uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

}  // namespace

Hash Xxh3::operator()(std::span<const std::byte> bytes) const noexcept {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), secret_.words[0]);
  return {.position = hash.high64, .fingerprint = hash.low64};
}

SipHash::SipHash(Secret secret) noexcept : secret_(secret) {
  auto out = key_.begin();
  for (std::uint64_t word : secret.words) {
    for (std::byte byte : little_endian(word)) *out++ = std::to_integer<unsigned char>(byte);
  }
}

Hash SipHash::operator()(std::span<const std::byte> bytes) const noexcept {
  static_assert(crypto_shorthash_siphashx24_KEYBYTES == 16 && crypto_shorthash_siphashx24_BYTES == 16);
  unsigned char out[16];
  crypto_shorthash_siphashx24(out, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), key_.data());
  return {.position = from_little_endian(out), .fingerprint = from_little_endian(out + 8)};
}

Hash SipHash::operator()(std::uint64_t word) const noexcept {
  return (*this)(std::span<const std::byte>(little_endian(word)));
}

}  // namespace telescope::inline v1
