// Errors of what talks to files and stores: a code to act on, and a text to show.
#pragma once

#include <string>

#include "telescope/result.hpp"

namespace telescope::inline v1 {

// `code` says which kind of trouble it is, for programs. `what` says for people what happened and to which file, key or
// parameter; if it is empty, message(code) is all there is to say.
struct Failure {
  Error code;
  std::string what;
};

inline Failure to_failure(Error code) { return {code, std::string(message(code))}; }

// A value, or a Failure. Outcome<void> is success, or a Failure.
template <class T>
using Outcome = Result<T, Failure>;

}  // namespace telescope::inline v1
