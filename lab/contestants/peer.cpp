#include "contestants/peer.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

template <class Function>
void load_optional(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
}

template <class Function>
void load(void* library, const std::string& file, const char* symbol, Function& function) {
  load_optional(library, symbol, function);
  if (function == nullptr) throw LabError(fmt::format("peer {} lacks the function {}", file, symbol));
}

}  // namespace

// A name without a slash would send dlopen to the library path: a peer is always a file.
PeerLibrary::PeerLibrary(const std::string& file) : file_(file.find('/') == std::string::npos ? "./" + file : file) {
  void* library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw LabError(fmt::format("peer {} does not load: {}", file, dlerror()));
  load(library, file, "telescope_peer_name", name_);
  load(library, file, "telescope_peer_create", create_);
  load(library, file, "telescope_peer_insert", insert_);
  load(library, file, "telescope_peer_contains", contains_);
  load(library, file, "telescope_peer_bytes", bytes_);
  load(library, file, "telescope_peer_destroy", destroy_);
  load_optional(library, "telescope_peer_insert_many", insert_many_);
  load_optional(library, "telescope_peer_contains_many", contains_many_);
  load_optional(library, "telescope_peer_adapts", adapts_);
}

Peer::Peer(const PeerLibrary& library, std::uint64_t slots)
    : library_(&library), filter_(library.create_(slots), library.destroy_) {
  if (filter_ == nullptr) {
    throw LabError(fmt::format("peer {} cannot make a filter of {} slots", library.file_, slots));
  }
}

std::uint64_t Peer::insert(std::span<const std::uint64_t> keys) {
  if (library_->insert_many_ != nullptr) return library_->insert_many_(filter_.get(), keys.data(), keys.size());
  std::uint64_t inserted = 0;
  for (const std::uint64_t key : keys) inserted += library_->insert_(filter_.get(), key) != 0;
  return inserted;
}

std::uint64_t Peer::contains(std::span<const std::uint64_t> keys) {
  if (library_->contains_many_ != nullptr) return library_->contains_many_(filter_.get(), keys.data(), keys.size());
  std::uint64_t hits = 0;
  for (const std::uint64_t key : keys) hits += library_->contains_(filter_.get(), key) != 0;
  return hits;
}

}  // namespace telescope::lab
