// Some thousand keys, with their values, in one piece of memory: what goes through a guard at once.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <telescope/guard_types.hpp>
#include <vector>

namespace telescope::tool {

class Batch {
 public:
  static constexpr std::size_t kKeys = 4096;
  static constexpr std::size_t kBytes = std::size_t{1} << 22;

  void add(std::string_view key, std::string_view value = {}) {
    bytes_.append(key).append(value);
    ends_.push_back({bytes_.size() - value.size(), bytes_.size()});
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }
  std::size_t size() const noexcept { return ends_.size(); }
  bool empty() const noexcept { return ends_.empty(); }
  bool full() const noexcept { return ends_.size() >= kKeys || bytes_.size() >= kBytes; }

  // Both last until the batch changes.
  std::span<const Entry> entries() {
    entries_.clear();
    std::size_t begin = 0;
    for (const Ends& ends : ends_) {
      entries_.push_back({view(begin, ends.key), view(ends.key, ends.value)});
      begin = ends.value;
    }
    return entries_;
  }
  std::span<const std::string_view> keys() {
    keys_.clear();
    for (const Entry& entry : entries()) keys_.push_back(entry.key);
    return keys_;
  }

 private:
  struct Ends {
    std::size_t key, value;
  };
  std::string_view view(std::size_t begin, std::size_t end) const {
    return std::string_view(bytes_).substr(begin, end - begin);
  }

  std::string bytes_;
  std::vector<Ends> ends_;
  std::vector<Entry> entries_;
  std::vector<std::string_view> keys_;
};

}  // namespace telescope::tool
