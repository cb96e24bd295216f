
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "io/errors.hpp"
#include "measure/clocks.hpp"
#include "reproduce/journal.hpp"

namespace telescope::lab {
namespace {

// Runs the line in a shell; returns what it printed, and its status as waitpid has it.
std::pair<std::string, int> output_of(const std::string& line) {
  std::FILE* const pipe = popen(line.c_str(), "re");
  if (pipe == nullptr) throw LabError(fmt::format("cannot start a shell: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> buffer;
  for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), size);
  }
  return {text, pclose(pipe)};
}

// Runs a command of this very program, with --json; returns the rows that it prints. Throws LabError, with what it said
// besides, if it fails.
std::vector<Row> run_child(const std::string& command) {
  const auto [text, status] =
      output_of(fmt::format("exec {} {} --json </dev/null 2>&1",
                            shell_quoted(std::filesystem::read_symlink("/proc/self/exe").string()), command));
  std::vector<Row> rows;
  std::string said;  // what is no row: warnings, or the error
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Row row = Row::parse(line, nullptr, false);
    if (row.is_object()) {
      rows.push_back(std::move(row));
    } else {
      said += (said.empty() ? "" : "\n") + line;
    }
  }
  if (status != 0) {
    const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                                : fmt::format("exit status {}", WEXITSTATUS(status));
    throw LabError(fmt::format("{}: {}: {}", command, how, said.empty() ? "no message" : said));
  }
  return rows;
}

std::string minutes(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// How far a run has come. On a terminal one line that overwrites itself, elsewhere a line for each job.
class Ticker {
 public:
  explicit Ticker(const std::vector<Job>& jobs) : count_(jobs.size()) {
    for (const Job& job : jobs) cost_ += job.cost;
  }

  void started(const Job& job) { progress_.show(line(job)); }

  void finished(const Job& job, double seconds) {
    ++done_;
    done_cost_ += job.cost;
    progress_.show(line(job));
    if (!terminal_) fmt::print(stderr, "{} ({:.1f} s)\n", line(job), seconds);
  }

 private:
  // What is left takes as long, for its cost, as what is done.
  std::string line(const Job& job) const {
    const double left = done_cost_ > 0 ? clock_.seconds() / done_cost_ * (cost_ - done_cost_) : cost_;
    std::string text = fmt::format("[{}/{}] {} left: {}", done_, count_, minutes(left), job.command());
    constexpr std::size_t kMost = 110;
    if (terminal_ && text.size() > kMost) text.resize(kMost);
    return text;
  }

  WallClock clock_;
  Progress progress_;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::size_t count_, done_ = 0;
  double cost_ = 0, done_cost_ = 0;
};

class Runner {
 public:
  Runner(Journal& journal, Ticker& ticker) : journal_(journal), ticker_(ticker) {}

  void run(const std::vector<Job>& jobs, unsigned at_once) {
    next_ = 0;
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < at_once; ++i) workers.emplace_back([&] { work(jobs); });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(const std::vector<Job>& jobs) {
    while (const Job* const job = take(jobs)) {
      try {
        const WallClock clock;
        const std::vector<Row> rows = run_child(job->command());
        const std::lock_guard lock(mutex_);
        journal_.add(job->command(), rows, clock.seconds());
        ticker_.finished(*job, clock.seconds());
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  const Job* take(const std::vector<Job>& jobs) {
    const std::lock_guard lock(mutex_);
    if (failure_ || next_ == jobs.size()) return nullptr;
    ticker_.started(jobs[next_]);
    return &jobs[next_++];
  }

  Journal& journal_;
  Ticker& ticker_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_jobs(const std::vector<Job>& jobs, unsigned at_once, Journal& journal) {
  std::vector<Job> open;
  std::set<std::string> known;
  for (const Job& job : jobs) {
    const std::string command = job.command();
    if (!journal.results().contains(command) && known.insert(command).second) open.push_back(job);
  }
  // Long ones first, so that no core is left with one at the end; those on the clock last, when all is quiet.
  std::stable_sort(open.begin(), open.end(), [](const Job& a, const Job& b) { return a.cost > b.cost; });
  const auto clocked = std::stable_partition(open.begin(), open.end(), [](const Job& job) { return !job.timed; });
  Ticker ticker(open);
  Runner runner(journal, ticker);
  runner.run({open.begin(), clocked}, at_once);
  runner.run({clocked, open.end()}, 1);
}

}  // namespace telescope::lab
