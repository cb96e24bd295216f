// Errors of what talks to the world (files, stores): a code to act on, and a sentence to show.
#pragma once

#include <string>
#include <type_traits>

#include "telescope/result.hpp"

namespace telescope {
inline namespace v1 {

// The code says which kind of trouble, `what` names it: the file, the section, what the system said.
struct Failure {
  Error code;
  std::string what;
};

// A value, or what went wrong. Outcome<void> has no value.
template <class T>
using Outcome = std::conditional_t<std::is_void_v<T>, BasicStatus<Failure>,
                                   Result<std::conditional_t<std::is_void_v<T>, char, T>, Failure>>;

}  // namespace v1
}  // namespace telescope
