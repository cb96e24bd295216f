// How a verb ends early. The library returns errors as values; the program throws them, and main turns each into one
// line and an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <telescope/failure.hpp>
#include <type_traits>
#include <utility>

namespace telescope::tool {

// What could not be done, in one line that names the thing and the remedy.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whoever read our output has gone away. Nothing is left to say.
struct OutputClosed {};

// What an error of the library says, or what its code says if it says nothing.
std::string describe(const Failure& failure);

template <class T>
T value_or_throw(Outcome<T> outcome) {
  if (!outcome) throw ToolError(describe(outcome.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*outcome);
}

}  // namespace telescope::tool
