// The jobs that have finished, one to a line of DIR/journal.jsonl, so that a run which was stopped goes on where it
// was.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "reproduce/job.hpp"

namespace telescope::lab {

class Journal {
 public:
  // Makes the directory. Puts results of another program, machine or scale aside under another name; then
  // `was_another` is true. Throws LabError if the directory cannot be made or read.
  Journal(std::filesystem::path directory, const Row& manifest);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  bool was_another() const noexcept { return was_another_; }
  const Results& results() const noexcept { return results_; }

  // Adds a result, which is on disk when this returns. Throws LabError if it cannot be written.
  void add(const std::string& command, const std::vector<Row>& rows, double seconds);

  // Writes every row of every job as a line of DIR/points.jsonl, with the command that measured it.
  void write_points() const;

 private:
  void read(const std::filesystem::path& file);

  std::filesystem::path directory_;
  Results results_;
  int file_ = -1;
  bool was_another_ = false;
};

// Returns what a report is measured with: the build, the machine, the scale.
Row make_manifest(const Setting& setting);

// Runs the jobs that the journal does not have yet: several at once, those on the clock alone. Throws what the first
// failed job threw; what finished before is in the journal.
void run_jobs(const std::vector<Job>& jobs, unsigned at_once, Journal& journal);

}  // namespace telescope::lab
