#include "measure/counters.hpp"

#include <fmt/core.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

namespace telescope::lab {
namespace {

struct Event {
  std::uint32_t type;
  std::uint64_t config;
  bool in_kernel = false;
};

constexpr std::uint64_t read_misses(std::uint64_t cache) {
  return cache | std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8 | std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16;
}

// In the order of kCounterNames. A context switch happens in the kernel; the rest is our own doing.
constexpr std::array<Event, kCounterNames.size()> kEvents = {{
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_L1D)},
    {PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_LL)},
    {PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_DTLB)},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, true},
}};

int open_event(const Event& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.exclude_kernel = !event.in_kernel;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

const char* remedy(int error) {
  switch (error) {
    case EACCES:
    case EPERM: return "lower kernel.perf_event_paranoid (1 counts them all) or run as root";
    case ENOSYS: return "this kernel was built without performance events";
    case EMFILE: return "raise the limit of open files (ulimit -n)";
    default: return "virtual machines often lack them; run on bare metal, or with a virtual PMU";
  }
}

}  // namespace

Counters::Counters(bool wanted) {
  files_.fill(-1);
  if (!wanted) return;
  std::map<int, std::string> missing;
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    files_[i] = open_event(kEvents[i]);
    if (files_[i] >= 0) continue;
    std::string& names = missing[errno];
    names += (names.empty() ? "" : ", ") + std::string(kCounterNames[i]);
  }
  for (const auto& [error, names] : missing) {
    fmt::print(stderr, "telescope-lab: no counters for {} ({}): {}\n", names, std::strerror(error), remedy(error));
  }
}

Counters::~Counters() {
  for (const int file : files_) {
    if (file >= 0) close(file);
  }
}

Counts Counters::read() const noexcept {
  static_assert(sizeof(Count) == 3 * sizeof(std::uint64_t));  // value and times, as read_format orders them
  Counts counts;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    Count& count = counts.by_event[i];
    if (files_[i] >= 0 && ::read(files_[i], &count, sizeof count) != sizeof count) count = {};
  }
  return counts;
}

Counts& Counts::operator+=(const Counts& other) noexcept {
  for (std::size_t i = 0; i < by_event.size(); ++i) {
    by_event[i].value += other.by_event[i].value;
    by_event[i].wanted_ns += other.by_event[i].wanted_ns;
    by_event[i].ran_ns += other.by_event[i].ran_ns;
  }
  return *this;
}

Counts& Counts::operator-=(const Counts& other) noexcept {
  for (std::size_t i = 0; i < by_event.size(); ++i) {
    by_event[i].value -= other.by_event[i].value;
    by_event[i].wanted_ns -= other.by_event[i].wanted_ns;
    by_event[i].ran_ns -= other.by_event[i].ran_ns;
  }
  return *this;
}

}  // namespace telescope::lab
