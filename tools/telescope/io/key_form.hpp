// How the bytes of a key are spelled, in files and on the command line.
//
//   text   the bytes themselves
//   u64    an integer, decimal or 0x hexadecimal: 8 little-endian bytes, which is how the library hashes a word
//   hex    two digits for each byte
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace telescope::tool {

enum class KeyForm { text, u64, hex };

// Puts the bytes into `bytes`. Returns what is wrong with the text, with its remedy; empty if nothing is.
std::string decode_key(std::string_view text, KeyForm form, std::string& bytes);
// The bytes, or throws. For keys given as arguments.
std::string key_argument(const std::string& text, KeyForm form);

// Appends the key as decode_key reads it. A key that is no word has no spelling as u64: throws.
void spell_key(std::string_view bytes, KeyForm form, std::string& text);

std::string to_hex(std::string_view bytes);
bool from_hex(std::string_view text, std::string& bytes);
bool is_utf8(std::string_view bytes) noexcept;

}  // namespace telescope::tool
