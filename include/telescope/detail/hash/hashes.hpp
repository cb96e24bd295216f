// The hashes of the keys of a batch, asked for by number. Batches are compiled for these two classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "telescope/function_ref.hpp"
#include "telescope/hash.hpp"

namespace telescope::inline v1::detail {

// A row of 64-bit keys under Xxh3, which batches hash in vectors (x86/xxh3_vectors.hpp).
class Xxh3Keys {
 public:
  Xxh3Keys(const std::uint64_t* keys, const Xxh3& hash) noexcept
      : keys_(keys), flip_(xxh3_word_flip(hash.secret().words[0])) {}

  Hash operator()(std::size_t i) const noexcept {
    const Words words = xxh3_word(keys_[i], flip_);
    return {.position = words.high, .fingerprint = words.low};
  }
  const std::uint64_t* keys() const noexcept { return keys_; }
  std::uint64_t flip() const noexcept { return flip_; }

 private:
  const std::uint64_t* keys_;
  std::uint64_t flip_;
};

// Any keys under any hash. The callable returns the hashes of as many keys, from `first` on, as the scratch has room
// for: in the scratch, or where they are. It may be asked twice for the same key.
class AnyHashes {
 public:
  using Get = FunctionRef<const Hash*(std::size_t first, std::span<Hash> scratch)>;
  explicit AnyHashes(Get get) noexcept : get_(get) {}

  Hash operator()(std::size_t i) const noexcept {
    Hash scratch;
    return *get_(i, {&scratch, 1});
  }
  const Hash* get(std::size_t first, std::span<Hash> scratch) const noexcept { return get_(first, scratch); }

 private:
  Get get_;
};

// Hashes a row of keys, for AnyHashes.
template <class K, class H>
class KeyHashes {
 public:
  KeyHashes(std::span<const K> keys, const H& hash) noexcept : keys_(keys), hash_(hash) {}
  const Hash* operator()(std::size_t first, std::span<Hash> scratch) const noexcept {
    for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = hash_(keys_[first + i]);
    return scratch.data();
  }

 private:
  std::span<const K> keys_;
  const H& hash_;
};

}  // namespace telescope::inline v1::detail
