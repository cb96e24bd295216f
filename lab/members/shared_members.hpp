// Members that become more while threads are at work: an index of those at the start, and buckets for those that came.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "members/member_index.hpp"

namespace telescope::lab {

class SharedMembers {
 public:
  explicit SharedMembers(std::vector<Hash> members) : base_(std::move(members)), buckets_(new Buckets) {}

  void add(const Hash& member) {
    Bucket& bucket = (*buckets_)[bucket_of(member.position)];
    const std::lock_guard lock(bucket.mutex);
    bucket.members.push_back(member);
  }

  // Answers as a MemberSource.
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    if (const Status status = base_(range, sink); !status) return status;
    for (std::size_t b = bucket_of(range.first_position); b <= bucket_of(range.last_position); ++b) {
      Bucket& bucket = (*buckets_)[b];
      const std::lock_guard lock(bucket.mutex);
      for (const Hash& member : bucket.members) {
        if (range.first_position <= member.position && member.position <= range.last_position) sink(member);
      }
    }
    return {};
  }

 private:
  static constexpr unsigned kBits = 14;
  static std::size_t bucket_of(std::uint64_t position) noexcept {
    return static_cast<std::size_t>(position >> (64 - kBits));
  }
  struct Bucket {
    std::mutex mutex;
    std::vector<Hash> members;
  };
  using Buckets = std::array<Bucket, std::size_t{1} << kBits>;

  MemberIndex base_;
  std::unique_ptr<Buckets> buckets_;
};

}  // namespace telescope::lab
