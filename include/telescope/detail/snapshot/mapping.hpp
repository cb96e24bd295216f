// The blocks of a snapshot in the address space. A chunk is verified when it is first asked for. Any number of threads
// may ask.
#pragma once

#include <atomic>
#include <memory>

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/snapshot/preamble.hpp"

namespace telescope::inline v1::detail {

class Mapping {
 public:
  // Maps the file that the preamble was read from; the file may be closed afterwards. `memory` is for a byte per chunk.
  static Outcome<Mapping> open(Preamble preamble, const InputFile& file, const Memory& memory) noexcept;

  const Preamble& preamble() const noexcept { return preamble_; }
  const SnapshotHeader& header() const noexcept { return preamble_.header(); }
  const std::byte* blocks() const noexcept { return file_.get() + header().blocks().offset; }

  // Returns whether bytes [from, end) of the blocks are those that were saved.
  TELESCOPE_ALWAYS_INLINE bool is_intact(std::uint64_t from, std::uint64_t end) const noexcept {
    for (std::uint64_t i = from / SnapshotHeader::kChunk; i <= (end - 1) / SnapshotHeader::kChunk; ++i) {
      if (TELESCOPE_UNLIKELY(state(i).load(std::memory_order_relaxed) != std::byte{kIntact}) && !verify_chunk(i)) {
        return false;
      }
    }
    return true;
  }
  Outcome<void> verify_chunks() const noexcept;
  // Copies blocks and padding, each chunk verified.
  Outcome<void> copy_blocks(std::span<std::byte> into) const noexcept;

  // Returns the first corruption that was found. Once there is one, it stays.
  Outcome<void> status() const noexcept;
  bool is_corrupt() const noexcept {
    return findings().corrupt_chunk.load() != kNone || findings().inconsistency.load() != nullptr;
  }
  // Notes that the blocks are inconsistent, although their checksums are right. `what` must be a literal.
  void mark_corrupt(const char* what) const noexcept { findings().inconsistency.store(what); }
  // Notes that every chunk is intact, and the blocks are consistent.
  void mark_verified() const noexcept { findings().verified.store(true, std::memory_order_release); }
  bool is_verified() const noexcept { return findings().verified.load(std::memory_order_acquire); }

 private:
  static constexpr std::uint8_t kIntact = 1, kCorrupt = 2;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  struct Unmap {
    std::size_t length = 0;
    void operator()(const std::byte* p) const noexcept;
  };
  using MappedFile = std::unique_ptr<const std::byte[], Unmap>;

  // In memory of its own, so that a mapping can be moved. The states of the chunks follow, a byte each.
  struct Findings {
    std::atomic<std::uint64_t> corrupt_chunk{kNone};
    std::atomic<const char*> inconsistency{nullptr};
    std::atomic<bool> verified{false};
  };

  Mapping(Preamble preamble, MappedFile file, ByteArray findings) noexcept
      : preamble_(std::move(preamble)), file_(std::move(file)), findings_(std::move(findings)) {}

  Findings& findings() const noexcept { return *std::launder(reinterpret_cast<Findings*>(findings_.get())); }
  std::atomic_ref<std::byte> state(std::uint64_t chunk) const noexcept {
    return std::atomic_ref<std::byte>(findings_[sizeof(Findings) + chunk]);
  }
  bool verify_chunk(std::uint64_t chunk) const noexcept;

  Preamble preamble_;
  MappedFile file_;
  ByteArray findings_;
};

}  // namespace telescope::inline v1::detail
