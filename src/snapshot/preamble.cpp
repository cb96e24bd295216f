#include "telescope/detail/snapshot/preamble.hpp"

#include <algorithm>

#include "format.hpp"
#include "telescope/detail/bits/word.hpp"

namespace telescope::inline v1::detail {
namespace {

std::string_view remedy(Error code) noexcept {
  switch (code) {
    case Error::foreign: return "; check the path";
    case Error::newer: return "; update the library";
    case Error::corrupt: return "; rebuild the filter from the store";
    case Error::other_filter: return "; load it as what it is, or rebuild the filter from the store";
    case Error::wrong_secret: return "; pass the hash and secret of the store";
    default: return "";
  }
}

// Names the file and the remedy. Failures of the operating system name the file already.
Failure about(const std::string& path, const Failure& failure) noexcept {
  if (failure.code == Error::io_failed || failure.code == Error::no_memory) return failure;
  return make_failure(failure.code, path, ": ", failure.what, remedy(failure.code));
}

}  // namespace

Failure failure_of(Error code) noexcept { return make_failure(code, message(code)); }

Outcome<Preamble> Preamble::read(const InputFile& file, const Memory& memory) noexcept try {
  HeaderBytes start;
  const std::span known(start.data(), std::min<std::uint64_t>(file.bytes(), start.size()));
  if (auto status = file.read(0, known); !status) return std::move(status).error();
  const auto header = decode_header(known, file.bytes());
  if (!header) return about(file.path(), header.error());

  const std::uint64_t length = header->preamble_bytes();  // no more than the file has
  ByteArray bytes = allocate_array(length, memory);
  if (!bytes) return failure_of(Error::no_memory);
  std::ranges::copy(start, bytes.get());
  if (auto status = file.read(start.size(), {bytes.get() + start.size(), length - start.size()}); !status) {
    return std::move(status).error();
  }
  Preamble preamble(*header, std::move(bytes), file.path());
  if (auto status = preamble.verify(); !status) return about(file.path(), status.error());
  return preamble;
} catch (...) {
  return failure_of(Error::no_memory);
}

Outcome<void> Preamble::verify() const noexcept {
  const auto corrupt = [](const char* what) { return make_failure(Error::corrupt, what); };
  const SnapshotHeader& h = header_;
  if (h.has_secret && checksum(section(h.secret())) != h.secret_sum) return corrupt("secret: checksum mismatch");
  if (h.note_bytes != 0 && checksum(section(h.note())) != h.note_sum) return corrupt("note: checksum mismatch");
  if (checksum(section(h.checksums())) != h.checksums_sum) return corrupt("checksums of the chunks: checksum mismatch");
  const auto is_zero = [&](std::uint64_t from, std::uint64_t end) { return all_zero(section({from, end - from})); };
  if (!is_zero(h.note().end(), h.checksums().offset) || !is_zero(h.checksums().end(), h.blocks().offset)) {
    return corrupt("a byte between two sections is not zero");
  }
  return {};
}

Outcome<void> Preamble::expect(const FilterShape& shape, const HashKey& key) const noexcept {
  const FilterShape& has = header_.shape;
  const auto fail = [&](Error code, const auto&... what) { return about(path_, make_failure(code, what...)); };
  if (has.kind != shape.kind || has.width != shape.width) {
    return fail(Error::other_filter, "holds a filter ", to_string(has.kind), " of width ", has.width, ", not ",
                to_string(shape.kind), " of width ", shape.width);
  }
  if (has != shape) {
    return fail(Error::other_filter, "its letters are in code ", to_string(has.code), "(", has.x, ", ", has.y,
                "), not ", to_string(shape.code), "(", shape.x, ", ", shape.y, ")");
  }
  if (header_.hash != key.kind) {
    return fail(Error::wrong_secret, "saved under hash ", to_string(header_.hash), ", not ", to_string(key.kind));
  }
  if (header_.key_check != key_check(key)) return fail(Error::wrong_secret, "saved under another secret");
  return {};
}

Outcome<HashKey> Preamble::stored_key() const noexcept {
  if (!header_.has_secret) return about(path_, make_failure(Error::wrong_secret, "the secret is not in the file"));
  const std::byte* const words = section(header_.secret()).data();
  const HashKey key{header_.hash, Secret{{bits::load64(words), bits::load64(words + 8)}}};
  if (header_.key_check != key_check(key)) {
    return about(path_, make_failure(Error::corrupt, "secret: it does not match the key check in the header"));
  }
  return key;
}

Outcome<SnapshotInfo> Preamble::info() const noexcept try {
  const auto note = section(header_.note());
  return SnapshotInfo{.version = SnapshotHeader::kVersion,
                      .shape = header_.shape,
                      .overflow = header_.overflow,
                      .hash = header_.hash,
                      .has_secret = header_.has_secret,
                      .slots = header_.slots,
                      .size = header_.size,
                      .file_bytes = header_.file_bytes(),
                      .note = {note.begin(), note.end()}};
} catch (...) {
  return failure_of(Error::no_memory);
}

bool Preamble::chunk_is_intact(std::uint64_t i, const std::byte* blocks) const noexcept {
  const Section chunk = header_.chunk(i);
  return checksum({blocks + chunk.offset, chunk.length}) ==
         bits::load64(bytes_.get() + header_.checksums().offset + 8 * i);
}

bool Preamble::padding_is_zero(const std::byte* blocks) const noexcept {
  return all_zero({blocks + header_.blocks().length - SnapshotHeader::kPadding, SnapshotHeader::kPadding});
}

Failure Preamble::corrupt_chunk(std::uint64_t i) const noexcept {
  return about(path_, make_failure(Error::corrupt, "blocks: checksum mismatch in chunk ", i));
}
Failure Preamble::corrupt_blocks(const char* what) const noexcept {
  return about(path_, make_failure(Error::corrupt, "blocks: inconsistent: ", what));
}

}  // namespace telescope::inline v1::detail
