#include "telescope/detail/snapshot/mapping.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace telescope::inline v1::detail {

void Mapping::Unmap::operator()(const std::byte* p) const noexcept {
  (void)::munmap(const_cast<std::byte*>(p), length);
}

Outcome<Mapping> Mapping::open(Preamble preamble, const InputFile& file, const Memory& memory) noexcept {
  const SnapshotHeader& header = preamble.header();
  const std::uint64_t length = header.file_bytes();
  // The whole file, because pages may be larger than what blocks are aligned to.
  void* const address = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (address == MAP_FAILED) return io_error("map", file.path(), errno);
  MappedFile mapped(static_cast<const std::byte*>(address), Unmap{length});
  if (!preamble.padding_is_zero(mapped.get() + header.blocks().offset)) {
    return preamble.corrupt_blocks("the padding is not zero");
  }
  const std::size_t bytes = sizeof(Findings) + header.chunks();
  ByteArray findings = allocate_array(bytes, {memory.resource, false});
  if (!findings) return failure_of(Error::no_memory);
  std::memset(findings.get(), 0, bytes);
  new (findings.get()) Findings;
  return Mapping(std::move(preamble), std::move(mapped), std::move(findings));
}

// Threads may verify the same chunk at the same time: they find the same.
bool Mapping::verify_chunk(std::uint64_t chunk) const noexcept {
  if (state(chunk).load(std::memory_order_relaxed) == std::byte{kCorrupt}) return false;
  const bool intact = preamble_.chunk_is_intact(chunk, blocks());
  if (!intact) {
    std::uint64_t none = kNone;
    (void)findings().corrupt_chunk.compare_exchange_strong(none, chunk);
  }
  state(chunk).store(std::byte{intact ? kIntact : kCorrupt}, std::memory_order_relaxed);
  return intact;
}

Outcome<void> Mapping::verify_chunks() const noexcept {
  for (std::uint64_t i = 0; i < header().chunks(); ++i) {
    if (!verify_chunk(i)) return preamble_.corrupt_chunk(i);
  }
  return {};
}

Outcome<void> Mapping::copy_blocks(std::span<std::byte> into) const noexcept {
  for (std::uint64_t i = 0; i < header().chunks(); ++i) {
    if (!verify_chunk(i)) return preamble_.corrupt_chunk(i);
    const Section where = header().chunk(i);
    std::memcpy(into.data() + where.offset, blocks() + where.offset, where.length);
  }
  return {};
}

Outcome<void> Mapping::status() const noexcept {
  if (const std::uint64_t chunk = findings().corrupt_chunk.load(); chunk != kNone) {
    return preamble_.corrupt_chunk(chunk);
  }
  if (const char* const what = findings().inconsistency.load(); what != nullptr) return preamble_.corrupt_blocks(what);
  return {};
}

}  // namespace telescope::inline v1::detail
