// A snapshot in the address space. Header, secret, note and checksums are verified when it is opened, a chunk of blocks
// when it is first asked for. Any number of threads may ask.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/memory.hpp"
#include "telescope/detail/snapshot/header.hpp"

namespace telescope {
inline namespace v1 {
namespace detail {

class Mapping {
 public:
  // `memory` is for a byte per chunk.
  static SnapshotResult<Mapping> open(const std::filesystem::path& path, const Memory& memory) noexcept;

  const SnapshotHeader& header() const noexcept { return header_; }
  const std::byte* blocks() const noexcept { return file_.get() + header_.blocks().offset; }

  SnapshotStatus expect(const FilterShape& shape) const noexcept;
  SnapshotStatus expect(const HashKey& key) const noexcept;
  SnapshotResult<HashKey> stored_key() const noexcept;
  SnapshotInfo info() const;

  // Whether bytes [from, to) of the blocks are those that were saved.
  TELESCOPE_ALWAYS_INLINE bool sound(std::uint64_t from, std::uint64_t to) const noexcept {
    for (std::uint64_t i = from / SnapshotHeader::kChunk; i <= (to - 1) / SnapshotHeader::kChunk; ++i) {
      if (TELESCOPE_UNLIKELY(state(i).load(std::memory_order_relaxed) != std::byte{kGood}) && !look_at(i)) return false;
    }
    return true;
  }
  SnapshotStatus verify_chunks() const noexcept;
  // Blocks and padding, verified.
  SnapshotStatus copy_blocks(std::span<std::byte> into) const noexcept;

  // The first trouble that was found; it stays.
  SnapshotStatus status() const noexcept;
  bool failed() const noexcept { return findings().bad_chunk.load() != kNone || findings().wrong.load() != nullptr; }
  // The blocks do not hold together, although their checksums are right.
  void condemn(const char* wrong) const noexcept { findings().wrong.store(wrong); }
  // Everything was looked at, and is as it should be.
  void trust() const noexcept { findings().trusted.store(true, std::memory_order_release); }
  bool trusted() const noexcept { return findings().trusted.load(std::memory_order_acquire); }

 private:
  static constexpr std::uint8_t kGood = 1, kBad = 2;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  struct Unmap {
    std::size_t length = 0;
    void operator()(const std::byte* p) const noexcept;
  };
  using File = std::unique_ptr<const std::byte[], Unmap>;

  // In memory of its own, so that a mapping can be moved. The states of the chunks follow.
  struct Findings {
    std::atomic<std::uint64_t> bad_chunk{kNone};
    std::atomic<const char*> wrong{nullptr};
    std::atomic<bool> trusted{false};
  };

  Mapping(const SnapshotHeader& header, File file, ByteArray findings) noexcept
      : header_(header), file_(std::move(file)), findings_(std::move(findings)) {}

  std::span<const std::byte> head() const noexcept { return {file_.get(), header_.blocks().offset}; }
  Findings& findings() const noexcept { return *std::launder(reinterpret_cast<Findings*>(findings_.get())); }
  std::atomic_ref<std::byte> state(std::uint64_t chunk) const noexcept {
    return std::atomic_ref<std::byte>(findings_[sizeof(Findings) + chunk]);
  }
  bool look_at(std::uint64_t chunk) const noexcept;

  SnapshotHeader header_;
  File file_;
  ByteArray findings_;
};

}  // namespace detail
}  // namespace v1
}  // namespace telescope
