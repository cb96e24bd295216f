// One keyed 128-bit hash of a key's bytes, as two words.
//
//   key bytes --policy(secret)--> 128 bits --+--> position P   quotient = high half of P x slots
//                                            +--> fingerprint W   remainders are cut from it
//
//   policy    position            source               secret used          for
//   Xxh3      high64 of XXH3-128  low64 of XXH3-128    words[0], 64 bits    the default: fastest
//   SipHash   bytes 0..7 (LE)     bytes 8..15 (LE)     both, 128 bits       callers who may be hostile
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "telescope/detail/hash/xxh3_word.hpp"

namespace telescope {
inline namespace v1 {

// position P orders the members, once and for all: the quotient is the high half of P x slots.
// fingerprint W is what remainders are cut from.
struct Hash {
  std::uint64_t position = 0;
  std::uint64_t fingerprint = 0;
  friend bool operator==(const Hash&, const Hash&) = default;
};

// What makes the hashes of one set unpredictable. Keep it with the store: a filter is worth nothing without it.
struct Secret {
  std::array<std::uint64_t, 2> words{};

  // From the operating system. Falls back on clock and address where there is no entropy to be had.
  static Secret random() noexcept;
  friend bool operator==(const Secret&, const Secret&) = default;
};

enum class HashKind { xxh3, siphash };

constexpr std::string_view to_string(HashKind kind) noexcept {
  switch (kind) {
    case HashKind::xxh3: return "xxh3";
    case HashKind::siphash: return "siphash";
  }
  return "unknown";
}

constexpr std::optional<HashKind> parse_hash_kind(std::string_view name) noexcept {
  for (HashKind kind : {HashKind::xxh3, HashKind::siphash}) {
    if (name == to_string(kind)) return kind;
  }
  return std::nullopt;
}

// Laws:
//  - pure: equal keys under equal secrets have equal hashes, in every process and on every target;
//  - a 64-bit key hashes as its 8 little-endian bytes, a string as its bytes;
//  - for a random secret both words look uniform and independent of each other;
//  - H(h.secret()) hashes as h does.
template <class H>
concept KeyHash = std::copy_constructible<H> && std::constructible_from<H, Secret> &&
    requires(const H hash, std::span<const std::byte> bytes, std::string_view text, std::uint64_t word) {
  { hash(bytes) }
  noexcept->std::same_as<Hash>;
  { hash(text) }
  noexcept->std::same_as<Hash>;
  { hash(word) }
  noexcept->std::same_as<Hash>;
  { hash.secret() }
  noexcept->std::same_as<const Secret&>;
  { H::kName } -> std::convertible_to<std::string_view>;
};

// XXH3, 128 bits. Eight bytes are hashed inline; every other length goes to libxxhash.
class Xxh3 {
 public:
  static constexpr HashKind kKind = HashKind::xxh3;
  static constexpr std::string_view kName = to_string(kKind);

  explicit Xxh3(Secret secret = Secret::random()) noexcept
      : secret_(secret), flip_(detail::xxh3_word_flip(secret.words[0])) {}

  Hash operator()(std::span<const std::byte> bytes) const noexcept;
  Hash operator()(std::string_view text) const noexcept { return (*this)(std::as_bytes(std::span(text))); }
  Hash operator()(std::uint64_t word) const noexcept {
    const detail::Words words = detail::xxh3_word(word, flip_);
    return {.position = words.high, .fingerprint = words.low};
  }

  const Secret& secret() const noexcept { return secret_; }

 private:
  Secret secret_;
  std::uint64_t flip_;  // all that the seed does to an 8-byte key
};

// SipHash-2-4 with 128 bits of output: a keyed pseudo-random function. Who does not know the secret cannot aim.
class SipHash {
 public:
  static constexpr HashKind kKind = HashKind::siphash;
  static constexpr std::string_view kName = to_string(kKind);

  explicit SipHash(Secret secret = Secret::random()) noexcept;

  Hash operator()(std::span<const std::byte> bytes) const noexcept;
  Hash operator()(std::string_view text) const noexcept { return (*this)(std::as_bytes(std::span(text))); }
  Hash operator()(std::uint64_t word) const noexcept;

  const Secret& secret() const noexcept { return secret_; }

 private:
  Secret secret_;
  std::array<unsigned char, 16> key_;  // the secret's words, little-endian
};

static_assert(KeyHash<Xxh3> && KeyHash<SipHash>);

// A hash policy and its secret, as values: what a filter's answers hang on.
struct HashKey {
  HashKind kind = HashKind::xxh3;
  Secret secret;
  friend bool operator==(const HashKey&, const HashKey&) = default;
};
template <KeyHash H>
HashKey key_of(const H& hash) noexcept {
  return {H::kKind, hash.secret()};
}

}  // namespace v1
}  // namespace telescope
