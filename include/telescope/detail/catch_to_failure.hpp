// Where exceptions end. The library throws none, but memory may run out below it, and callables of users may throw.
#pragma once

#include <exception>
#include <new>
#include <system_error>

#include "telescope/failure.hpp"

namespace telescope::inline v1::detail {

// Returns the Failure with prefix and text, or without a text if there is no memory for one.
inline Failure failure_with(Error code, std::string_view prefix, std::string_view text) noexcept {
  try {
    return Failure{code, std::string(prefix).append(text)};
  } catch (...) {
    return Failure{code, {}};
  }
}

// Returns body(), an Outcome; or, if that throws, a Failure with the prefix and what the exception says.
template <class Body>
auto catch_to_failure(Body body, std::string_view prefix = {}) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Failure{Error::no_memory, "out of memory"};  // short enough to need none
  } catch (const std::system_error& error) {
    return failure_with(Error::io_failed, prefix, error.what());
  } catch (const std::exception& error) {
    return failure_with(Error::store_failed, prefix, error.what());
  } catch (...) {
    return failure_with(Error::store_failed, prefix, "an exception was thrown that says nothing about itself");
  }
}

}  // namespace telescope::inline v1::detail
