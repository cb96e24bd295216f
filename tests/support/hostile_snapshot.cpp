#include "hostile_snapshot.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "telescope/mapped_filter.hpp"

namespace telescope::testing {

namespace {

template <class F, class KeyOf>
const char* operate(F& filter, const KeyOf& key_of) {
  const auto silent = [](const QuotientRange&, MemberSink) -> Status { return Error::source_failed; };
  const auto lying = [](const QuotientRange& range, MemberSink sink) -> Status {
    for (std::uint64_t i = 0; i < 3; ++i) sink({range.first_position, i * 0x9e3779b97f4a7c15});
    return {};
  };
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto key = key_of(i);
    (void)filter.adapt(key, lying);
    (void)filter.erase(key, lying);
    if (filter.insert(key, silent).ok() && !filter.contains(key)) return "an inserted member is not found";
  }
  return nullptr;
}

}  // namespace

HostileSnapshot::HostileSnapshot()
    : fd_(memfd_create("snapshot", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_)) {}
HostileSnapshot::~HostileSnapshot() { ::close(fd_); }

template <class F>
const char* HostileSnapshot::use() {
  auto filter = load_snapshot<F>(path_, Xxh3(kSecret));
  const auto mapped = map_snapshot<F>(path_, Xxh3(kSecret));
  if (mapped.ok()) {
    for (std::uint64_t key = 0; key < 40; ++key) (void)mapped->contains(key);
    if (mapped->verify().ok() != filter.ok()) return "verified, but not loaded";
  }
  if (!filter.ok()) return filter.error().what.empty() ? "an error without words" : nullptr;
  loaded = true;
  if (!mapped.ok()) return "loaded, but not mapped";
  for (std::uint64_t key = 0; key < 40; ++key) {
    if (mapped->contains(key) != filter->contains(key)) return "loaded and mapped answer differently";
  }
  return operate(*filter, [](std::uint64_t key) { return key; });
}

const char* HostileSnapshot::use_any() {
  const Xxh3 hash(kSecret);
  auto filter = load_any_snapshot(path_, key_of(hash));
  if (!filter.ok()) return filter.error().what.empty() ? "an error without words" : nullptr;
  loaded = true;
  if (const char* const broken = operate(*filter, hash)) return broken;
  // As many members as the runs may have, none of them real.
  std::uint64_t shown = 0;
  const auto liar = [&](const QuotientRange& range, MemberSink sink) -> Status {
    for (std::uint64_t i = 0; i < shown; ++i) sink({range.first_position + i % 2, i * 0x9e3779b97f4a7c15});
    return {};
  };
  for (std::uint64_t i = 0; i < 10; ++i) {
    for (shown = 0; shown < 6; ++shown) {
      (void)filter->adapt(hash(i), liar);
      (void)filter->erase(hash(i), liar);
      (void)filter->insert(hash(i), liar);
    }
  }
  FilterOptions larger = filter->options();
  larger.slots += 64;
  (void)filter->resize(larger, liar);
  (void)filter->check();
  return nullptr;
}

const char* HostileSnapshot::run(Bytes bytes, bool fix) {
  if (fix) fix_checksums(bytes);
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return "the file could not be written";
  }
  loaded = false;
  for (const char* broken : {use<Taf<8>>(), use<Exaf<5>>(), use<Rsqf<8>>(), use_any()}) {
    if (broken != nullptr) return broken;
  }
  (void)read_snapshot_secret(path_);
  const auto info = read_snapshot_info(path_);
  return info.ok() && info->file_bytes != bytes.size() ? "info of a file of another length" : nullptr;
}

}  // namespace telescope::testing
