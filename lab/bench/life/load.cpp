// Bulk load of members in order of position, against single inserts, and against copying the filter's bytes.
#include <cstring>
#include <memory>
#include <telescope/bulk.hpp>

#include "bench/life/life.hpp"
#include "contestants/make_filter.hpp"
#include "measure/clocks.hpp"

namespace telescope::lab {
namespace {

double mops(std::size_t operations, double seconds) { return static_cast<double>(operations) / seconds / 1e6; }

}  // namespace

Rows measure_load(const LifeOptions& options, Progress& progress) {
  using Filter = Taf<8>;
  Pairs loads, batches, copies;
  for (unsigned rep = 0; rep < options.reps; ++rep) {
    progress.show("bulk load");
    const std::uint64_t seed = options.seed + rep;
    const FilterOptions made{.slots = options.slots};
    const auto keys =
        Keys(seed).range(0, static_cast<std::uint64_t>(options.load * static_cast<double>(options.slots)));
    std::vector<Hash> members = hashes_of(keys, experiment_hash(seed));
    {
      std::vector<Hash> scratch(members.size());
      sort_by_position(members, scratch);
    }

    auto loader = Filter::Loader::create(made, experiment_hash(seed));
    if (!loader) throw LabError(std::string(message(loader.error())));
    const Stopwatch load_watch;
    for (const Hash& member : members) {
      if (const Status added = loader->add(member); !added) throw LabError(std::string(message(added.error())));
    }
    const Filter loaded = std::move(*loader).finish();
    const double load_seconds = load_watch.seconds();

    Filter inserted = make_filter<Filter>(made, seed);
    const Stopwatch insert_watch;
    for (const std::uint64_t key : keys) {
      if (!inserted.insert(key)) throw LabError("an insert failed");
    }
    const double insert_seconds = insert_watch.seconds();

    Filter batched = make_filter<Filter>(made, seed);
    const Stopwatch batch_watch;
    if (!batched.insert(std::span<const std::uint64_t>(keys)).status) throw LabError("an insert failed");
    const double batch_seconds = batch_watch.seconds();

    const auto bytes = loaded.frame().raw();
    if (loaded.size() != inserted.size()) throw LawBroken("a bulk load lost members");
    for (const std::uint64_t key : keys) {
      if (!loaded.contains(key)) throw LawBroken("a bulk load lost a member");
    }
    const std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]());
    const Stopwatch copy_watch;
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    consume(copy[bytes.size() / 2]);
    const double copy_seconds = copy_watch.seconds();

    loads.add(mops(keys.size(), load_seconds), mops(keys.size(), insert_seconds));
    batches.add(mops(keys.size(), batch_seconds), mops(keys.size(), insert_seconds));
    const double gigabytes = static_cast<double>(bytes.size()) / 1e9;
    copies.add(gigabytes / load_seconds, gigabytes / copy_seconds);
  }
  return {loads.more_is_better("bulk load", "M/s", "single inserts"),
          batches.more_is_better("batch insert", "M/s", "single inserts"),
          copies.more_is_better("bulk load", "GB/s", "memcpy of the filter")};
}

}  // namespace telescope::lab
