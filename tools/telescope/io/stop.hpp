// Ctrl-C and SIGTERM: the verb at work finishes its batch, saves, and says how far it came. The second signal ends the
// process at once; the set survives that too.
#pragma once

namespace telescope::tool {

// While it lives, the first SIGINT or SIGTERM is only noted.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
};

// The signal that came, or 0.
int stop_signal() noexcept;
inline bool stop_requested() noexcept { return stop_signal() != 0; }

// Waits until the descriptor can be read, or until a stop is requested.
void wait_readable(int descriptor);

}  // namespace telescope::tool
