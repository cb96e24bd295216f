// A line on stderr that says how far something is, how fast it goes and when it will be done. Only for terminals.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace telescope::tool {

struct ProgressState {
  std::string_view what;    // "adding"
  std::uint64_t count = 0;  // of keys, members, queries
  double done = -1;         // 0 to 1; below 0: unknown
  double seconds = 0;       // since the beginning
};

// "adding  [########........]  52 %  1,204,000  1.31 M/s  2.3 s left", no longer than `width`.
std::string progress_text(const ProgressState& state, unsigned width);

// Takes the line away. Whoever prints something does it first.
void clear_progress();

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress() { clear_progress(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: draws ten times a second at most.
  void show(std::uint64_t count, double done = -1);
  // Says at once what is going on, where there is nothing to count.
  void announce(const std::string& what);
  // Of another thing, from its beginning.
  void restart(std::string what);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool visible_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::milliseconds(300);  // what is over sooner needs no bar
};

}  // namespace telescope::tool
