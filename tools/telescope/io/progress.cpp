#include "progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "numbers.hpp"

namespace telescope::tool {
namespace {

bool line_drawn = false;  // there is one terminal, and one line of it is ours

unsigned terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool stderr_is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

void clear_progress() {
  if (line_drawn) std::fputs("\r\x1b[K", stderr);
  line_drawn = false;
}

std::string progress_text(const ProgressState& state, unsigned width) {
  const double rate = state.seconds > 0 ? static_cast<double>(state.count) / state.seconds : 0;
  std::string text(state.what);
  if (state.done >= 0) {
    constexpr unsigned kCells = 24;
    const double done = std::min(state.done, 1.0);
    const auto full = static_cast<unsigned>(done * kCells);
    text += fmt::format("  [{:#<{}}{:.<{}}] {:3.0f} %", "", full, "", kCells - full, 100 * done);
  }
  text += fmt::format("  {}  {}/s", with_commas(state.count), short_count(rate));
  if (state.done > 0.001 && state.done < 1) {
    text += fmt::format("  {} left", seconds_text(state.seconds / state.done * (1 - state.done)));
  }
  return text.substr(0, width);
}

Progress::Progress(std::string what) : what_(std::move(what)), visible_(stderr_is_terminal()) {}

void Progress::show(std::uint64_t count, double done) {
  if (!visible_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string text = progress_text({what_, count, done, seconds}, terminal_width() - 1);
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  line_drawn = true;
}

void Progress::announce(const std::string& what) {
  if (!visible_) return;
  std::fprintf(stderr, "\r\x1b[K%s", what.substr(0, terminal_width() - 1).c_str());
  line_drawn = true;
}

void Progress::restart(std::string what) {
  what_ = std::move(what);
  start_ = Clock::now();
  next_ = start_;
}

}  // namespace telescope::tool
