// Keys, and values where there are some, out of a file of any length.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "key_form.hpp"

namespace telescope::tool {

struct KeySource {
  std::string file = "-";
  KeyForm form = KeyForm::text;
  bool null = false;         // records end with NUL instead of a line's end
  bool words = false;        // no records: a stream of 8-byte little-endian words
  bool tab_values = false;   // key TAB value, both in the form of keys if that is hex
  std::string csv_column;    // by name or by number from 1; empty: not CSV
  std::string value_column;  // of the value, with csv_column
  char separator = ',';
};

// A line's end is LF or CR LF; a key that ends with CR needs NUL-separated records or hex. An empty line is the empty
// key.
class KeyReader {
 public:
  explicit KeyReader(const KeySource& source);
  ~KeyReader();
  KeyReader(KeyReader&&) noexcept;

  // Moves to the next key. False at the end, or when a stop was requested. Throws with file and line.
  bool next();
  const std::string& key() const noexcept;
  const std::string& value() const noexcept;

  std::uint64_t bytes_read() const noexcept;
  std::uint64_t bytes_total() const noexcept;  // 0: unknown

  class Records;  // what splits the input into records

 private:
  std::unique_ptr<Records> records_;
};

}  // namespace telescope::tool
