// Where exceptions end. The library throws none, but memory may run out below it, and stores may throw.
#pragma once

#include <exception>
#include <new>
#include <system_error>

#include "telescope/failure.hpp"

namespace telescope::inline v1::detail {

// Returns body(), an Outcome; or, if that throws, a Failure with the prefix and what the exception says. Exceptions
// that are no std::exception pass through: they are for whoever threw them from a sink.
template <class Body>
auto catch_to_failure(Body body, std::string_view prefix = {}) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Failure{Error::no_memory, "out of memory"};  // short enough to need none
  } catch (const std::system_error& error) {
    return Failure{Error::io_failed, std::string(prefix) + error.what()};
  } catch (const std::exception& error) {
    return Failure{Error::store_failed, std::string(prefix) + error.what()};
  }
}

}  // namespace telescope::inline v1::detail
