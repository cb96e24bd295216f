// Bytes of a file or of stdin, record by record, in memory that does not depend on how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace telescope::tool {

class Input {
 public:
  // "-" is stdin.
  explicit Input(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // The bytes up to the delimiter, which is taken and not returned. The last record may lack it. None at the end, or
  // when a stop was requested. The view lasts until the next call.
  std::optional<std::string_view> until(char delimiter);
  // Exactly `size` bytes; fewer at the end of the file.
  std::string_view take(std::size_t size);

  const std::string& name() const noexcept { return name_; }     // for messages
  std::uint64_t consumed() const noexcept { return consumed_; }  // bytes
  std::uint64_t size() const noexcept { return size_; }          // 0: unknown, it is a pipe

  // A record longer than this is a mistake: some other kind of file.
  static constexpr std::size_t kMaxRecord = std::size_t{1} << 26;

 private:
  bool fill();  // false at the end
  std::string_view consume(std::size_t bytes, std::size_t delimiter);

  std::string name_;
  int descriptor_ = -1;
  bool pollable_ = false;
  bool end_ = false;
  std::uint64_t size_ = 0, consumed_ = 0;
  std::string buffer_;
  std::size_t first_ = 0, last_ = 0;  // what is read and not consumed
};

}  // namespace telescope::tool
