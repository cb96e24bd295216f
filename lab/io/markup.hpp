// Text of any kind inside XML and HTML.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace telescope::lab {

// Returns the text escaped, also for attributes between double quotes. What is not UTF-8, and control characters that
// XML forbids, become U+FFFD: one odd byte in a file name must not cost the whole page.
inline std::string escaped(const std::string& text) {
  using Json = nlohmann::json;
  const std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string out;
  for (const char c : valid) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\n':
      case '\t': out += c; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\xef\xbf\xbd";
        } else {
          out += c;
        }
    }
  }
  return out;
}

}  // namespace telescope::lab
