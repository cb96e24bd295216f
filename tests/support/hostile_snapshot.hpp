// Any bytes as a snapshot: an error, or a filter that can be used. What loads maps too, and answers alike. One body for
// the fuzzer and for the test that makes its own inputs.
#pragma once

#include <string>

#include "snapshot_bytes.hpp"
#include "telescope/hash.hpp"

namespace telescope::testing {

class HostileSnapshot {
 public:
  static constexpr Secret kSecret{{1, 2}};

  HostileSnapshot();
  ~HostileSnapshot();
  HostileSnapshot(const HostileSnapshot&) = delete;
  HostileSnapshot& operator=(const HostileSnapshot&) = delete;

  // The law that was broken; null if none. `fix`: the checksums are made right first.
  const char* run(Bytes bytes, bool fix);

  bool loaded = false;  // by one of the filters

 private:
  template <class F>
  const char* use();
  const char* use_any();  // of any kind and width

  int fd_;
  std::string path_;  // a file without a disk
};

}  // namespace telescope::testing
