#include "log_watch.hpp"

#include <utility>

namespace telescope::inline v1::detail {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A file of the log.
class WatchedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<LogWatch::Verdict> verdict)
      : FSWritableFileOwnerWrapper(std::move(file)), verdict_(std::move(verdict)) {}

  IOStatus Append(const Slice& bytes, const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->Append(bytes, options, debug); });
  }
  IOStatus Append(const Slice& bytes, const IOOptions& options, const DataVerificationInfo& checksum,
                  IODebugContext* debug) override {
    return watch([&] { return target()->Append(bytes, options, checksum, debug); });
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->Truncate(size, options, debug); });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->Flush(options, debug); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->Fsync(options, debug); });
  }
  IOStatus RangeSync(std::uint64_t at, std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return watch([&] { return target()->RangeSync(at, size, options, debug); });
  }
  // Gives the descriptor back whatever has failed before.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    if (const IOStatus closed = target()->Close(options, debug); !closed.ok()) verdict_->note(closed);
    return IOStatus::OK();
  }

 private:
  template <class Call>
  IOStatus watch(Call call) {
    if (verdict_->failed()) return IOStatus::OK();
    if (const IOStatus status = call(); !status.ok()) verdict_->note(status);
    return IOStatus::OK();
  }

  std::shared_ptr<LogWatch::Verdict> verdict_;
};

}  // namespace

rocksdb::Status LogWatch::Verdict::status() const {
  const std::lock_guard lock(mutex_);
  return first_;
}
void LogWatch::Verdict::note(const IOStatus& status) {
  const std::lock_guard lock(mutex_);
  if (!failed_.exchange(true)) first_ = status;
}

IOStatus LogWatch::NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* made, IODebugContext* debug) {
  IOStatus status = target()->NewWritableFile(name, options, made, debug);
  if (status.ok() && name.ends_with(".log")) *made = std::make_unique<WatchedFile>(std::move(*made), verdict_);
  return status;
}

}  // namespace telescope::inline v1::detail
