// AnyHash: a hash policy chosen at run time, for sets whose store says which one it is.
#pragma once

#include <string_view>
#include <variant>

#include "telescope/hash.hpp"

namespace telescope::inline v1 {

// Thread-safe; nothing throws.
class AnyHash {
 public:
  explicit AnyHash(const HashKey& key) noexcept : hash_(make(key)) {}

  // Returns the hash of the key's bytes, the same as the policy itself.
  Hash operator()(std::string_view key) const noexcept {
    if (const Xxh3* const xxh3 = std::get_if<Xxh3>(&hash_)) return (*xxh3)(key);
    return std::visit([&](const auto& hash) { return hash(key); }, hash_);
  }
  HashKey key() const noexcept {
    return std::visit([](const auto& hash) { return key_of(hash); }, hash_);
  }

 private:
  using Held = std::variant<Xxh3, SipHash>;
  static Held make(const HashKey& key) noexcept {
    switch (key.kind) {
      case HashKind::siphash: return SipHash(key.secret);
      case HashKind::xxh3: break;
    }
    return Xxh3(key.secret);
  }

  Held hash_;
};

}  // namespace telescope::inline v1
