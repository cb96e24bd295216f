// The blocks of a snapshot in memory. A chunk is read from the file, and verified, when it is first asked for. So what
// a query has once believed changes no more, whatever becomes of the file.
//
//   unread --can be read, and has its checksum--> intact
//      +-----otherwise--------------------------> bad, for good
//
// Any number of threads may ask. They wait for each other only while a chunk is read.
#pragma once

#include <atomic>
#include <mutex>

#include "telescope/detail/bits/word.hpp"
#include "telescope/detail/snapshot/preamble.hpp"

namespace telescope::inline v1::detail {

class LazyBlocks {
 public:
  // Takes the file that the preamble was read from. Fails with corrupt or no_memory.
  static Outcome<LazyBlocks> open(Preamble preamble, InputFile file, const Memory& memory) noexcept;

  const Preamble& preamble() const noexcept { return preamble_; }
  const SnapshotHeader& header() const noexcept { return preamble_.header(); }
  // Returns the first block. Bytes may be read once is_intact() has returned true for them.
  const std::byte* data() const noexcept { return bytes_.get(); }

  // Returns whether bytes [from, end) of the blocks are in memory as they were saved, after reading what is missing.
  TELESCOPE_ALWAYS_INLINE bool is_intact(std::uint64_t from, std::uint64_t end) const noexcept {
    for (std::uint64_t i = from / SnapshotHeader::kChunk; i <= (end - 1) / SnapshotHeader::kChunk; ++i) {
      if (TELESCOPE_UNLIKELY(states_[i].load(std::memory_order_acquire) != State::intact) && !read_chunk(i)) {
        return false;
      }
    }
    return true;
  }
  // Reads all chunks that are missing. Fails with what is wrong with the first bad one.
  Outcome<void> read_all() const noexcept;

  // Returns the first thing that was found wrong. Once there is one, it stays.
  Outcome<void> status() const noexcept;
  // Notes that the blocks are inconsistent, although their checksums are right. `what` must be a literal.
  void mark_inconsistent(const char* what) const noexcept { note(preamble_.corrupt_blocks(what)); }
  // Notes that every chunk is intact, and the blocks are consistent.
  void mark_verified() const noexcept { findings().verified.store(true, std::memory_order_release); }
  bool is_verified() const noexcept { return findings().verified.load(std::memory_order_acquire); }

 private:
  enum class State : std::uint8_t { unread, intact, bad };
  struct Findings {
    std::mutex reading;  // held while a chunk is read
    std::mutex mutex;    // protects `failure`
    Outcome<void> failure;
    std::atomic<bool> verified{false};
  };

  LazyBlocks(Preamble preamble, InputFile file, const Memory& memory) noexcept;

  Findings& findings() const noexcept { return findings_[0]; }
  void note(Failure failure) const noexcept;
  bool read_chunk(std::uint64_t chunk) const noexcept;

  Preamble preamble_;
  InputFile file_;
  ByteArray bytes_;
  Objects<std::atomic<State>> states_;  // of the chunks
  Objects<Findings> findings_;          // one; in memory of its own, so that this object can be moved
};

}  // namespace telescope::inline v1::detail
