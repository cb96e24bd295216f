// The library throws nothing, but memory and threads may run out below it. What a sink throws is its caller's affair,
// but for these.
#pragma once

#include <new>
#include <system_error>

#include "telescope/failure.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

template <class Body>
auto without_throwing(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Failure{Error::no_memory, "no memory left for the store"};
  } catch (const std::system_error& error) {
    return Failure{Error::io_failed, error.what()};
  }
}

}  // namespace detail
}  // namespace v1
}  // namespace telescope
