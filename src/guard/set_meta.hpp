// What a store says about its set, as named strings that a person can read.
//
//   format   1
//   filter   taf          bits   8          the kind of filter and the width of its remainders
//   hash     xxh3         secret 32 hex digits
//   slots    1048576      of the filter when it was last saved or grew: a guess for the next one
//   state    32 hex digits, or empty: the name that the snapshot bears too. Empty from the first write on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "telescope/any_store.hpp"
#include "telescope/guard_types.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

struct SetMeta {
  SetOptions set;  // the secret is there
  std::uint64_t slots = 0;
  std::string state;
};

// All but the state, which is empty. bad_argument if there is a set already.
Outcome<void> create_meta(AnyStore& store, const SetMeta& meta);
Outcome<SetMeta> read_meta(AnyStore& store);

Outcome<void> write_state(AnyStore& store, std::string_view state);
Outcome<void> write_slots(AnyStore& store, std::uint64_t slots);

// A name for a state: never given before.
std::string new_state();

}  // namespace detail
}  // namespace v1
}  // namespace telescope
