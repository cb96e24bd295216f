// stdout, buffered, with its errors: a full disk is told, a reader that has gone away (`| head`) is not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "key_form.hpp"

namespace telescope::tool {

using Json = nlohmann::ordered_json;

class Output {
 public:
  Output();
  ~Output();  // writes what is left, and keeps quiet if that fails: call flush()
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void line(std::string_view text);
  // One object on one line.
  void json_line(const Json& object);
  // One object for a reader: indented.
  void json(const Json& object);
  void flush();  // throws OutputClosed or ToolError

 private:
  std::string buffer_;
  bool at_terminal_;
};

// object["key"] = "text", or where the bytes are no UTF-8 object["key_hex"]. As u64: a number. As hex: always key_hex.
void put_bytes(Json& object, const std::string& name, std::string_view bytes, KeyForm form = KeyForm::text);

}  // namespace telescope::tool
