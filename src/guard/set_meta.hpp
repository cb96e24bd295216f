// The description of a set that its store keeps, as named strings that a person can read.
//
//   format   1
//   filter   taf          the kind of filter
//   width    8            of its remainders, in bits
//   hash     xxh3         the kind of hash
//   secret   32 hex digits
//   slots    1048576      of the filter when it was last saved: a guess for the next one
//   state    32 hex digits, the name that the snapshot bears too; empty from the first write after a save on
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "telescope/any_store.hpp"
#include "telescope/guard_types.hpp"

namespace telescope::inline v1::detail {

struct SetMeta {
  SetOptions set;  // with its secret
  std::uint64_t slots = 0;
  std::string state;
};

// Fails with bad_argument if the store holds a set already, and as it does.
Outcome<void> expect_no_set(AnyStore& store);
// Writes all but the state, which is empty. Fails as the store does.
Outcome<void> create_meta(AnyStore& store, const SetMeta& meta);
// Fails with foreign if the store holds no set, with newer or corrupt if it is not understood, and as the store does.
Outcome<SetMeta> read_meta(AnyStore& store);

// Writes one of the strings above. Fails as the store does.
Outcome<void> write_meta(AnyStore& store, std::string_view name, std::string_view value);

// Returns a name for a state that was never given before.
std::string new_state();

}  // namespace telescope::inline v1::detail
