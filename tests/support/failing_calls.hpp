// System calls that fail. The library of this name defines those that change files; they do what the system's do, but
// for one, or all from one on, that concern files below a directory. RocksDB calls them instead of the system's.
#pragma once

#include <string>

namespace telescope::testing {

struct FailingCall {
  long after = 0;        // so many calls succeed first
  bool lasts = false;    // all later ones fail too
  int error = 0;         // errno
  bool halfway = false;  // a write writes half of its bytes first, and then fails
  bool syncs = false;    // only calls of fsync and fdatasync are counted, and fail
};

// Before any file below the directory is opened.
void watch_calls_below(const std::string& directory);
void fail_call(const FailingCall& call);
void fail_no_call();
// Returns whether a call has failed.
bool call_failed();

// Notes in a file how much of each file is on the disk, for drop_unsynced: after power has failed, what was written to
// a file since its last sync is gone. (What was renamed or removed stays so.)
void note_syncs(const std::string& notes);
void drop_unsynced(const std::string& directory, const std::string& notes);

}  // namespace telescope::testing
