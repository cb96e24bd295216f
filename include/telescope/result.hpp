// Errors are values. Nothing in the core throws, prints or exits.
#pragma once

#include <cassert>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace telescope {
inline namespace v1 {

// What can go wrong. An operation that returns one of these has moved no bit.
enum class Error {
  full,           // every slot holds a member
  needs_members,  // the block's code overflowed and no member source was given
  disagree,       // the members of the store do not match the slots of the filter
  is_member,      // asked to adapt on a key that is in the set
  not_found,      // asked to erase a key that is not in the set
  source_failed,  // the member source could not deliver
  bad_argument,   // parameters out of range
  no_memory,      // the allocation failed
  unordered,      // members came out of the order of their positions
  io_failed,      // the operating system refused to read or write
  foreign,        // the file is no snapshot
  newer,          // the snapshot has a format of a later version
  corrupt,        // the snapshot is truncated, damaged or does not hold together
  other_filter,   // the snapshot is of another kind of filter, or another width
  wrong_secret,   // the snapshot was saved under another hash or secret
  store_failed,   // the store could not read or write
  in_use,         // another process has the set open
};

// One sentence that names the remedy.
constexpr std::string_view message(Error error) noexcept {
  switch (error) {
    case Error::full: return "the filter is full: build a larger one";
    case Error::needs_members: return "a block overflowed: pass a member source to insert";
    case Error::disagree: return "filter and store disagree: rebuild the filter from the store";
    case Error::is_member: return "the key is a member: adapt only on keys the store does not hold";
    case Error::not_found: return "the key is not in the set";
    case Error::source_failed: return "the member source failed: retry when the store answers again";
    case Error::bad_argument: return "a parameter is out of range";
    case Error::no_memory: return "out of memory: ask for fewer slots";
    case Error::unordered: return "members must come in order of position: sort them first";
    case Error::io_failed: return "the operating system refused: see what it says";
    case Error::foreign: return "not a snapshot of a filter";
    case Error::newer: return "the snapshot needs a later version of the library";
    case Error::corrupt: return "the snapshot is damaged: rebuild the filter from the store";
    case Error::other_filter: return "the snapshot is of another filter: load it as what it is";
    case Error::wrong_secret: return "the snapshot was saved under another secret: pass that of the store";
    case Error::store_failed: return "the store failed: retry when it answers again";
    case Error::in_use: return "another process has the set open: wait for it, or stop it";
  }
  return "unknown error";
}

// A value or an error. `Result<void>` is spelled `Status`.
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

 private:
  std::variant<T, E> held_;
};

template <class E>
class [[nodiscard]] BasicStatus {
 public:
  constexpr BasicStatus() noexcept = default;
  constexpr BasicStatus(E error) noexcept : error_(std::move(error)) {}

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
using Status = BasicStatus<Error>;

}  // namespace v1
}  // namespace telescope
