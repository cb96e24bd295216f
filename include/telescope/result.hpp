// Values for errors. Nothing in the library throws, prints or exits.
//
//   Result<T>    a value or an Error: a code, for operations on filters
//   Status       Result<void>: success or an Error
//   Outcome<T>   a value or a Failure: a code and a text, for what talks to files and stores  (failure.hpp)
#pragma once

#include <cassert>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace telescope::inline v1 {

// What can go wrong. An operation of a filter that returns one of these has changed no bit of it.
enum class Error {
  full,           // every slot holds a member
  needs_members,  // the block's code overflowed and no member source was given
  disagree,       // the members of the store do not match the slots of the filter
  is_member,      // asked to adapt on a key that is in the set
  not_found,      // asked to erase a key that is not in the set
  source_failed,  // the member source could not deliver
  bad_argument,   // a parameter is out of range
  no_memory,      // an allocation failed
  unordered,      // members or records came out of order of position
  io_failed,      // the operating system refused to read or write
  foreign,        // the file is no snapshot, or the store holds no set
  newer,          // the snapshot or the set has the format of a later version
  corrupt,        // the snapshot or the store is truncated, damaged or inconsistent
  other_filter,   // the snapshot is of another kind of filter, width or state of the store
  wrong_secret,   // the snapshot was saved under another hash or secret
  store_failed,   // the store could not read or write
  in_use,         // another process has the store open
};

// Returns one sentence that says what happened and what to do about it.
constexpr std::string_view message(Error error) noexcept {
  switch (error) {
    case Error::full: return "the filter is full: build a larger one";
    case Error::needs_members: return "a block overflowed: pass a member source to insert";
    case Error::disagree: return "filter and store disagree: rebuild the filter from the store";
    case Error::is_member: return "the key is a member: adapt only on keys that the store does not hold";
    case Error::not_found: return "the key is not in the set: erase only keys that the store holds";
    case Error::source_failed: return "the member source failed: retry when the store answers again";
    case Error::bad_argument: return "a parameter is out of range: see its documentation for the bounds";
    case Error::no_memory: return "out of memory: free some, or ask for fewer slots";
    case Error::unordered: return "members came out of order of position: sort them first";
    case Error::io_failed: return "the operating system refused to read or write: check disk space and permissions";
    case Error::foreign: return "the file is not a snapshot of a filter: pass the path of one";
    case Error::newer: return "the format is of a later version: update the library";
    case Error::corrupt: return "the snapshot is damaged: rebuild the filter from the store";
    case Error::other_filter: return "the snapshot is of another filter: load it as the kind and width that it has";
    case Error::wrong_secret: return "the snapshot was saved under another hash or secret: pass those of the store";
    case Error::store_failed: return "the store failed: retry when it answers again";
    case Error::in_use: return "another process has the store open: wait until it is done, or stop it";
  }
  return "unknown error";
}

// A value, or an error of type E. Both are taken implicitly, so that a function returns either by its value.
//
// value(), * and -> expect that there is a value, error() that there is none; else the behaviour is undefined (a debug
// build asserts).
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  constexpr Result(E error) : held_(std::in_place_index<1>, std::move(error)) {}

  constexpr bool ok() const noexcept { return held_.index() == 0; }
  constexpr explicit operator bool() const noexcept { return ok(); }

  constexpr T& value() & noexcept {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  constexpr const T& value() const& noexcept {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  constexpr T&& value() && noexcept {
    assert(ok());
    return std::move(*std::get_if<0>(&held_));
  }
  constexpr T& operator*() & noexcept { return value(); }
  constexpr const T& operator*() const& noexcept { return value(); }
  constexpr T&& operator*() && noexcept { return std::move(*this).value(); }
  constexpr T* operator->() noexcept { return &value(); }
  constexpr const T* operator->() const noexcept { return &value(); }

  constexpr const E& error() const& noexcept {
    assert(!ok());
    return *std::get_if<1>(&held_);
  }
  constexpr E error() && noexcept {
    assert(!ok());
    return std::move(*std::get_if<1>(&held_));
  }

  // Returns the error, or what `make` makes of the value (std::expected has the same).
  template <class Make>
  constexpr auto transform(Make&& make) && -> Result<std::invoke_result_t<Make, T>, E> {
    if (!ok()) return std::move(*this).error();
    return std::forward<Make>(make)(std::move(*this).value());
  }

 private:
  std::variant<T, E> held_;
};

// Success, or an error.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  constexpr Result() noexcept = default;
  constexpr Result(E error) noexcept : error_(std::move(error)) {}

  constexpr bool ok() const noexcept { return !error_.has_value(); }
  constexpr explicit operator bool() const noexcept { return ok(); }
  constexpr const E& error() const& noexcept {
    assert(!ok());
    return *error_;
  }
  constexpr E error() && noexcept {
    assert(!ok());
    return std::move(*error_);
  }

 private:
  std::optional<E> error_;
};
using Status = Result<void>;

}  // namespace telescope::inline v1
