// Hashes: one keyed 128-bit hash of a key's bytes, as two words.
//
//   key bytes --policy(secret)--> 128 bits --+--> position P   quotient = high half of P x slots
//                                            +--> fingerprint W   remainders are cut from it
//
//   policy    position            fingerprint          secret used          for
//   Xxh3      high64 of XXH3-128  low64 of XXH3-128    words[0], 64 bits    the default: fastest
//   SipHash   bytes 0..7 (LE)     bytes 8..15 (LE)     both, 128 bits       keys that strangers choose
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "telescope/detail/hash/xxh3_word.hpp"

namespace telescope::inline v1 {

// `position` is P: it orders the members, whatever the number of slots, since the quotient is the high half of P x
// slots. `fingerprint` is W: remainders are cut from it.
struct Hash {
  std::uint64_t position = 0;
  std::uint64_t fingerprint = 0;
  friend bool operator==(const Hash&, const Hash&) = default;
};

// Makes the hashes of one set unpredictable. Keep it with the store: without it a filter is useless.
struct Secret {
  std::array<std::uint64_t, 2> words{};

  // Returns bytes from the operating system; if it has none, bytes made of the clock and an address.
  static Secret random() noexcept;
  friend bool operator==(const Secret&, const Secret&) = default;
};

enum class HashKind { xxh3, siphash };

// Returns the name of a kind, and the kind of a name, if there is one.
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

// A hash policy. Laws:
//  - It is pure: equal keys under equal secrets have equal hashes, in every process and on every target.
//  - A 64-bit key hashes as its 8 little-endian bytes, a string as its bytes.
//  - For a random secret both words look uniform and independent of each other.
//  - H(h.secret()) hashes as h does.
//  - Any number of threads may call it.
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

// XXH3 with 128 bits. Keys of 64 bits are hashed inline; all others go to libxxhash.
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
  std::uint64_t flip_;  // the seed's part in the hash of an 8-byte key
};

// SipHash-2-4 with 128 bits of output: a keyed pseudo-random function. Whoever does not know the secret cannot choose
// keys that share a quotient.
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

// A hash policy and its secret, as values: what a filter's answers depend on beside its blocks.
struct HashKey {
  HashKind kind = HashKind::xxh3;
  Secret secret;
  friend bool operator==(const HashKey&, const HashKey&) = default;
};
template <KeyHash H>
HashKey key_of(const H& hash) noexcept {
  return {H::kKind, hash.secret()};
}

}  // namespace telescope::inline v1
