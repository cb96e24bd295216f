#include "telescope/detail/snapshot/lazy_blocks.hpp"

#include <utility>

namespace telescope::inline v1::detail {

// Memory that nobody touches is not there yet; on huge pages a chunk would bring in 31 others.
LazyBlocks::LazyBlocks(Preamble preamble, InputFile file, const Memory& memory) noexcept
    : preamble_(std::move(preamble)),
      file_(std::move(file)),
      bytes_(allocate_array(header().blocks().length, {memory.resource, false})),
      states_(header().chunks(), {memory.resource, false}),
      findings_(1, {memory.resource, false}) {}

Outcome<LazyBlocks> LazyBlocks::open(Preamble preamble, InputFile file, const Memory& memory) noexcept {
  LazyBlocks blocks(std::move(preamble), std::move(file), memory);
  if (!blocks.bytes_ || !blocks.states_ || !blocks.findings_) return failure_of(Error::no_memory);
  // The padding is read by queries, and tells nothing that a query would doubt.
  const std::uint64_t end = blocks.header().blocks().length;
  if (blocks.is_intact(end - SnapshotHeader::kPadding, end) && !blocks.preamble_.padding_is_zero(blocks.data())) {
    return blocks.preamble_.corrupt_blocks("the padding is not zero");
  }
  return blocks;
}

bool LazyBlocks::read_chunk(std::uint64_t chunk) const noexcept {
  const std::lock_guard lock(findings().reading);
  if (const State state = states_[chunk].load(std::memory_order_relaxed); state != State::unread) {
    return state == State::intact;  // another thread was faster
  }
  const Section where = header().chunk(chunk);
  auto read = file_.read(header().blocks().offset + where.offset, {bytes_.get() + where.offset, where.length});
  if (read && !preamble_.chunk_is_intact(chunk, data())) read = preamble_.corrupt_chunk(chunk);
  const bool intact = read.ok();
  if (!intact) note(std::move(read).error());
  states_[chunk].store(intact ? State::intact : State::bad, std::memory_order_release);
  return intact;
}

Outcome<void> LazyBlocks::read_all() const noexcept {
  return is_intact(0, header().blocks().length) ? Outcome<void>() : status();
}

void LazyBlocks::note(Failure failure) const noexcept {
  const std::lock_guard lock(findings().mutex);
  if (findings().failure.ok()) findings().failure = std::move(failure);
}

Outcome<void> LazyBlocks::status() const noexcept {
  const std::lock_guard lock(findings().mutex);
  if (findings().failure.ok()) return {};
  try {
    return findings().failure.error();
  } catch (...) {
    return Failure{findings().failure.error().code, {}};
  }
}

}  // namespace telescope::inline v1::detail
