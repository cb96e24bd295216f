// LogWatch: a file system for RocksDB that keeps the errors of its log to itself.
//
// RocksDB goes on to use a log that has returned an error (it syncs closed logs before a flush), and asserts that it
// does not: Debian's build then ends the process. So the log returns no errors. The first one is noted here instead;
// what would come behind it is dropped, so that the log ends there. The store looks here after each write.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace telescope::inline v1::detail {

class LogWatch final : public rocksdb::FileSystemWrapper {
 public:
  // What has failed. The files of the log share it, since RocksDB may close them late.
  class Verdict {
   public:
    bool failed() const noexcept { return failed_; }
    rocksdb::Status status() const;
    void note(const rocksdb::IOStatus& status);

   private:
    std::atomic<bool> failed_ = false;
    mutable std::mutex mutex_;
    rocksdb::IOStatus first_;
  };

  LogWatch() : rocksdb::FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "telescope.LogWatch"; }

  const Verdict& verdict() const noexcept { return *verdict_; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* made,
                                    rocksdb::IODebugContext* debug) override;

 private:
  std::shared_ptr<Verdict> verdict_ = std::make_shared<Verdict>();
};

}  // namespace telescope::inline v1::detail
