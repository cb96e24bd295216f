// telescope check: which keys are in the set? As grep: 0 if any of them is, 1 if none is.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "batches.hpp"
#include "io/errors.hpp"
#include "io/output.hpp"
#include "io/stop.hpp"
#include "set.hpp"

namespace telescope::tool {
namespace {

class CheckPrinter {
 public:
  CheckPrinter(const CheckOptions& options, Output& out) : options_(options), out_(out) {}

  void answer(std::string_view key, bool present) {
    ++(present ? present_ : absent_);
    if (options_.count || options_.quiet || (present ? options_.only_absent : options_.only_present)) return;
    if (options_.json) {
      Json row;
      put_bytes(row, "key", key, options_.source.form);
      row["present"] = present;
      out_.json_line(row);
      return;
    }
    line_.clear();
    if (!options_.only_present && !options_.only_absent) line_ += present ? "present\t" : "absent\t";
    spell_key(key, options_.source.form, line_);
    line_ += options_.source.null ? '\0' : '\n';
    out_.write(line_);
  }

  void counts() {
    if (!options_.count || options_.quiet) return;
    if (options_.json) {
      out_.json({{"keys", present_ + absent_}, {"present", present_}, {"absent", absent_}});
      return;
    }
    if (options_.only_present || options_.only_absent) {
      out_.line(std::to_string(options_.only_present ? present_ : absent_));
    } else {
      out_.line(fmt::format("present\t{}\nabsent\t{}", present_, absent_));
    }
  }

  bool any_present() const { return present_ > 0; }

 private:
  const CheckOptions& options_;
  Output& out_;
  std::uint64_t present_ = 0, absent_ = 0;
  std::string line_;
};

}  // namespace

ExitCode check(const CheckOptions& options) {
  const StopSignals signals;
  Guard guard = open_set(options.directory);
  Output out;
  CheckPrinter printer(options, out);
  std::vector<std::uint8_t> present;
  const auto ask = [&](Batch& batch) {
    const auto keys = batch.keys();
    present.resize(keys.size());
    value_or_throw(guard.contains(keys, present));
    for (std::size_t i = 0; i < keys.size(); ++i) printer.answer(keys[i], present[i] != 0);
    out.flush();
  };
  const BatchesReport report = for_each_batch(guard, options, "checking", {}, ask);
  printer.counts();
  out.flush();
  return exit_code_of(report, printer.any_present() ? kYes : kNo);
}

}  // namespace telescope::tool
