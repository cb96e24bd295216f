#include "stop.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace telescope::tool {
namespace {

std::atomic<int> received{0};
std::array<int, 2> wake{-1, -1};  // a pipe: a signal between the look at `received` and the wait still ends the wait

void note(int signal) {
  const int saved = errno;
  received = signal;
  [[maybe_unused]] const auto written = write(wake[1], "", 1);
  errno = saved;
}

}  // namespace

StopSignals::StopSignals() {
  received = 0;
  if (pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0) wake = {-1, -1};
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  for (int& end : wake) {
    if (end >= 0) close(end);
    end = -1;
  }
}

int stop_signal() noexcept { return received; }

void wait_readable(int descriptor) {
  std::array<pollfd, 2> watched{{{descriptor, POLLIN, 0}, {wake[0], POLLIN, 0}}};
  while (!stop_requested() && poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
}

}  // namespace telescope::tool
