// Saving and loading, against `cp` of the same file; and how soon a mapped filter answers.
#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <telescope/mapped_filter.hpp>
#include <telescope/snapshot.hpp>
#include <temporary_directory.hpp>

#include "bench/life/life.hpp"
#include "contestants/make_filter.hpp"
#include "io/errors.hpp"
#include "measure/clocks.hpp"

extern char** environ;

namespace telescope::lab {
namespace {

void sync_file(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::fsync(fd) != 0) throw LabError(fmt::format("cannot sync {}", file.string()));
  ::close(fd);
}

void run_cp(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::string program = "cp", plain = "--reflink=never", source = from.string(), target = to.string();
  char* const arguments[] = {program.data(), plain.data(), source.data(), target.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (::posix_spawnp(&child, "cp", nullptr, nullptr, arguments, environ) != 0 ||
      ::waitpid(child, &status, 0) != child || status != 0) {
    throw LabError("cannot run cp");
  }
}

template <class T>
T&& expect(T&& result) {
  if (!result) throw LabError(result.error().what);
  return std::forward<T>(result);
}

}  // namespace

Rows measure_snapshots(const LifeOptions& options, Progress& progress) {
  using Filter = Taf<8>;
  progress.show("snapshots: filling");
  Filter filter = make_filter<Filter>({.slots = options.slots}, options.seed);
  const auto keys =
      Keys(options.seed).range(0, static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots)));
  if (!filter.insert(std::span<const std::uint64_t>(keys)).status) throw LabError("an insert failed");

  const contest::TemporaryDirectory directory(options.directory);
  const auto file = directory / "filter.tsnap", copy = directory / "copy";
  Pairs synced, unsynced;
  std::vector<double> first_answers;
  for (unsigned rep = 0; rep < options.reps; ++rep) {
    progress.show("snapshots");
    for (const bool sync : {true, false}) {
      SaveOptions save;
      save.sync = sync;
      const WallClock clock;
      expect(save_snapshot(filter, file, save));
      const auto loaded = expect(load_snapshot<Filter>(file, filter.hash()));
      const double seconds = clock.seconds();
      if (!std::ranges::equal(loaded->frame().raw(), filter.frame().raw())) throw LawBroken("a snapshot differs");

      const WallClock copying;
      run_cp(file, copy);
      if (sync) sync_file(copy);
      (sync ? synced : unsynced).add(1e3 * seconds, 1e3 * copying.seconds());
    }
    const WallClock clock;
    const auto mapped = expect(map_snapshot<Filter>(file, filter.hash()));
    if (!mapped->contains(keys[rep])) throw LawBroken("a mapped filter lost a member");
    first_answers.push_back(1e3 * clock.seconds());
  }
  const double slowest = *std::max_element(first_answers.begin(), first_answers.end());
  return {synced.less_is_better("save + load, on the disk", "ms", "cp and fsync"),
          unsynced.less_is_better("save + load, not synced", "ms", "cp"),
          pair_row("map, first answer (slowest)", "ms", slowest, "bar", 50, 50 / slowest)};
}

}  // namespace telescope::lab
