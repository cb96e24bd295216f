#include "key_form.hpp"

#include <fmt/core.h>

#include <charconv>

#include "errors.hpp"
#include "numbers.hpp"

namespace telescope::tool {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// In a message: on one line, and not for ever.
std::string quoted(std::string_view text) {
  std::string shown = "\"";
  for (char c : text.substr(0, 40)) shown += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return shown + (text.size() > 40 ? "...\"" : "\"");
}

// The number of bytes in the UTF-8 sequence at the front, or 0 if there is none. No overlong ones, no surrogates.
std::size_t utf8_sequence(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
  const unsigned lead = at(0), second = at(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool strange = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f);
    return follows(1) && follows(2) && !strange ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool strange = (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    return follows(1) && follows(2) && follows(3) && !strange ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

bool from_hex(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit_of(text[i]), low = digit_of(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes += static_cast<char>(16 * high + low);
  }
  return true;
}

bool is_utf8(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const std::size_t length = utf8_sequence(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string decode_key(std::string_view text, KeyForm form, std::string& bytes) {
  switch (form) {
    case KeyForm::text: bytes.assign(text); return {};
    case KeyForm::hex:
      if (from_hex(text, bytes)) return {};
      return quoted(text) + " is not hexadecimal: two digits for each byte, or drop --hex for text keys";
    case KeyForm::u64: {
      const auto word = parse_word(text);
      if (!word) return quoted(text) + " is not an integer below 2^64: drop --u64 for text keys";
      bytes.clear();
      for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(*word >> shift & 0xff);
      return {};
    }
  }
  return {};
}

std::string key_argument(const std::string& text, KeyForm form) {
  std::string bytes;
  if (const std::string trouble = decode_key(text, form, bytes); !trouble.empty()) throw ToolError("--key " + trouble);
  return bytes;
}

void spell_key(std::string_view bytes, KeyForm form, std::string& text) {
  switch (form) {
    case KeyForm::text: text += bytes; return;
    case KeyForm::hex: text += to_hex(bytes); return;
    case KeyForm::u64: {
      if (bytes.size() != 8) {
        throw ToolError(fmt::format("a key of {} bytes ({}) is not a 64-bit integer: use --hex", bytes.size(),
                                    to_hex(bytes.substr(0, 20))));
      }
      std::uint64_t word = 0;
      for (std::size_t i = 8; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[i]);
      text += std::to_string(word);
      return;
    }
  }
}

}  // namespace telescope::tool
