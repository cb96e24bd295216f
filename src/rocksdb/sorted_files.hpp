// Writes records that come in order into sorted files, in a directory that is removed with this object.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/sst_file_writer.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace telescope {
inline namespace v1 {
namespace detail {

class SortedFiles {
 public:
  SortedFiles(std::filesystem::path directory, rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
              std::uint64_t file_bytes)
      : directory_(std::move(directory)),
        file_bytes_(file_bytes),
        writer_(rocksdb::EnvOptions(db->GetDBOptions()), db->GetOptions(family), family) {}
  SortedFiles(const SortedFiles&) = delete;
  SortedFiles& operator=(const SortedFiles&) = delete;
  ~SortedFiles() {
    std::error_code ignored;  // opening the store clears what is left
    std::filesystem::remove_all(directory_, ignored);
  }

  const std::vector<std::string>& paths() const noexcept { return paths_; }

  rocksdb::Status add(const std::string& key, std::string_view value) {
    if (!open_) {
      std::filesystem::create_directories(directory_);
      paths_.push_back((directory_ / (std::to_string(paths_.size()) + ".sst")).string());
      const auto status = writer_.Open(paths_.back());
      if (!status.ok()) return status;
      open_ = true;
    }
    const auto status = writer_.Put(key, value);
    if (!status.ok() || writer_.FileSize() < file_bytes_) return status;
    return finish();
  }
  rocksdb::Status finish() {
    if (!open_) return {};
    open_ = false;
    return writer_.Finish();
  }

 private:
  std::filesystem::path directory_;
  std::uint64_t file_bytes_;
  rocksdb::SstFileWriter writer_;
  std::vector<std::string> paths_;
  bool open_ = false;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
