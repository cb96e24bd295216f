#include "reproduce/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "io/errors.hpp"

namespace telescope::lab {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw LabError(fmt::format("{}: {}", what, std::strerror(error)));
}

// Both ends are closed in every child but where they are handed over: two children may start at once.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  }
  ~Pipe() {
    close_writing();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void hand_over(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void read_nothing() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

pid_t spawn(const std::vector<std::string>& words, const Pipe& out, const Pipe& err) {
  SpawnActions actions;
  actions.read_nothing();
  actions.hand_over(out.writing(), STDOUT_FILENO);
  actions.hand_over(err.writing(), STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int error = posix_spawn(&child, argv[0], actions.get(), nullptr, argv.data(), environ); error != 0) {
    fail("cannot start " + words[0], error);
  }
  return child;
}

// Reads both until both are at their end, so that neither can fill up and stop the child.
void read_all(const Pipe& out, const Pipe& err, std::string& out_text, std::string& err_text) {
  std::array<pollfd, 2> files{{{out.reading(), POLLIN, 0}, {err.reading(), POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&out_text, &err_text};
  std::array<char, 1 << 16> buffer;
  for (int open = 2; open > 0;) {
    if (poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail("cannot wait for a child", errno);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].revents == 0) continue;
      const ssize_t size = read(files[i].fd, buffer.data(), buffer.size());
      if (size > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        files[i].fd = -1;
        --open;
      }
    }
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a child", errno);
  }
  return status;
}

std::vector<Row> parsed(const std::string& text, const std::string& command) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(Row::parse(line, nullptr, false));
    if (rows.back().is_discarded()) throw LabError(fmt::format("{}: this is no JSON: {}", command, line));
  }
  return rows;
}

}  // namespace

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::vector<Row> run_child(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{own_program().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.emplace_back("--json");
  Pipe out, err;
  const pid_t child = spawn(words, out, err);
  out.close_writing();
  err.close_writing();
  std::string out_text, err_text;
  read_all(out, err, out_text, err_text);
  const std::string command = fmt::format("{}", fmt::join(arguments, " "));
  if (const int status = wait_for(child); status != 0) {
    const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                                : fmt::format("exit status {}", WEXITSTATUS(status));
    throw LabError(fmt::format("{}: {}: {}", command, how, err_text.empty() ? "no message" : err_text));
  }
  return parsed(out_text, command);
}

}  // namespace telescope::lab
