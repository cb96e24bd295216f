// A foreign filter in a shared object, through the C interface of peer.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "peer.h"

namespace telescope::lab {

// The functions of one shared object, loaded for the life of the program.
class PeerLibrary {
 public:
  // Throws LabError: the file does not load, or lacks a required symbol.
  explicit PeerLibrary(const std::string& file);

  std::string name() const { return name_(); }
  bool adapts() const { return adapts_ != nullptr && adapts_() != 0; }

 private:
  friend class Peer;
  std::string file_;
  decltype(&telescope_peer_name) name_;
  decltype(&telescope_peer_create) create_;
  decltype(&telescope_peer_insert) insert_;
  decltype(&telescope_peer_contains) contains_;
  decltype(&telescope_peer_bytes) bytes_;
  decltype(&telescope_peer_destroy) destroy_;
  decltype(&telescope_peer_insert_many) insert_many_;      // null when the peer has none
  decltype(&telescope_peer_contains_many) contains_many_;  // likewise
  decltype(&telescope_peer_adapts) adapts_;                // likewise
};

// One filter of a peer.
class Peer {
 public:
  // Throws LabError when the peer cannot make a filter with that many slots. The library must outlive the peer.
  Peer(const PeerLibrary& library, std::uint64_t slots);

  std::uint64_t insert(std::span<const std::uint64_t> keys);    // how many went in
  std::uint64_t contains(std::span<const std::uint64_t> keys);  // how many may be present
  std::uint64_t bytes() const { return library_->bytes_(filter_.get()); }

 private:
  const PeerLibrary* library_;
  std::unique_ptr<void, decltype(&telescope_peer_destroy)> filter_;
};

}  // namespace telescope::lab
