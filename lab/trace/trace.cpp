// telescope-lab trace
#include "io/errors.hpp"
#include "io/output.hpp"
#include "trace/recording.hpp"
#include "trace/source.hpp"

namespace telescope::lab {

void describe_trace(const DescribeOptions& options) {
  KeyIndex keys;
  std::uint64_t accesses = 0;
  const std::uint64_t skipped = read_trace(options.trace, [&](std::uint64_t key) {
    keys.number(key);
    ++accesses;
  });
  if (accesses == 0) throw LabError(options.trace.file + " holds no keys: give another file or --format");
  Row row;
  row["trace"] = options.trace.file;
  row["format"] = holds_words(options.trace) ? "u64" : "text";
  row["accesses"] = accesses;
  row["unique"] = keys.size();
  row["repeats"] = accesses - keys.size();
  row["accesses_per_key"] = static_cast<double>(accesses) / static_cast<double>(keys.size());
  row["skipped"] = skipped;
  Output output(options.json);
  output.add(row);
  output.finish();
}

}  // namespace telescope::lab
